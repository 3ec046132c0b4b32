const CHANNEL = "baton.token";
const WANTED = "wanted";

/** How long a new tab waits for another one to let it in. */
const PATIENCE_MS = 300;

/**
 * Lets other tabs of this browser in with the token of this one. Only while it is connected: then the daemon is who
 * serves this origin, and no other program that came to its port.
 */
export function offerToken(token: string, isConnected: () => boolean): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.addEventListener("message", ({ data }) => {
    if (data === WANTED && isConnected()) channel.postMessage({ token });
  });
}

/** The token of another tab of this browser, if one is open and connected. */
export async function requestToken(): Promise<string | undefined> {
  const channel = new BroadcastChannel(CHANNEL);
  try {
    return await new Promise((settle) => {
      channel.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
        if (typeof data === "object" && data !== null && "token" in data && typeof data.token === "string") settle(data.token);
      });
      setTimeout(() => settle(undefined), PATIENCE_MS);
      channel.postMessage(WANTED);
    });
  } finally {
    channel.close();
  }
}
