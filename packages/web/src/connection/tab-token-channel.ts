const CHANNEL = "baton.token";
const WANTED = "wanted";

/** How long a new tab waits for a token from another tab. */
const PATIENCE_MS = 300;

/**
 * Shares the token with other tabs of this browser. It does so only while connected, because then the daemon owns this
 * origin.
 */
export function offerTokenToTabs(token: string, isConnected: () => boolean): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.addEventListener("message", ({ data }) => {
    if (data === WANTED && isConnected()) channel.postMessage({ token });
  });
}

/** Asks another tab of this browser for its token. */
export async function requestTokenFromTabs(): Promise<string | undefined> {
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
