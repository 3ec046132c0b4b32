import type { ProfileBackend } from "./shared-profile-state.ts";
import { subscribeResource } from "./proxied-resources.ts";

/**
 * Watches the resources of a `subscriptions/listen` request of the newer protocol. Returns the message with only the resources that can be
 * watched, so that the client learns which they are, and a function that ends the watch. Other messages are returned unchanged.
 */
export async function withWatches<T>(
  message: T,
  backend: ProfileBackend,
  updated: (uri: string) => void,
): Promise<{ message: T; end: () => void }> {
  const wanted = parseListen(message);
  if (!wanted) return { message, end: () => undefined };
  const { params, filter, uris } = wanted;
  const ends = new Map<string, () => void>();
  for (const uri of new Set(uris)) {
    const end = await subscribeResource(uri, backend.proxyContext(), backend.isAllowed, () => updated(uri)).catch(() => undefined); // its server is unavailable
    if (end) ends.set(uri, end);
  }
  return {
    message: { ...message, params: { ...params, notifications: { ...filter, resourceSubscriptions: [...ends.keys()] } } },
    end: () => {
      for (const end of ends.values()) end();
      ends.clear();
    },
  };
}

type ListenRequest = { params: object; filter: object; uris: string[] };

/** Undefined if the message is another request, or one that the protocol will reject. */
function parseListen(message: unknown): ListenRequest | undefined {
  if (!isObject(message) || message["method"] !== "subscriptions/listen" || !isObject(message["params"])) return undefined;
  const params = message["params"];
  const filter = params["notifications"];
  const uris = isObject(filter) ? filter["resourceSubscriptions"] : undefined;
  if (!isObject(filter) || !Array.isArray(uris) || !uris.every((uri) => typeof uri === "string")) return undefined;
  return { params, filter, uris };
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;
