import type { ProfileBackend } from "./profile-backend.ts";
import { subscribeResource } from "./lending.ts";

/**
 * Has the resources watched that a client of the newer protocol wants to hear about in a `subscriptions/listen`. Gives the message with
 * those alone that can be watched, so that the client learns which they are, and what ends the watching. Any other message stays as it is.
 */
export async function withWatches<T>(
  message: T,
  desk: ProfileBackend,
  updated: (uri: string) => void,
): Promise<{ message: T; end: () => void }> {
  const wanted = listeningTo(message);
  if (!wanted) return { message, end: () => undefined };
  const { params, filter, uris } = wanted;
  const ends = new Map<string, () => void>();
  for (const uri of new Set(uris)) {
    const end = await subscribeResource(uri, desk.lending(), desk.may, () => updated(uri)).catch(() => undefined); // its server is not there
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

type Listening = { params: object; filter: object; uris: string[] };

/** Undefined where the message is no such request, or is one that the protocol will refuse. */
function listeningTo(message: unknown): Listening | undefined {
  if (!isObject(message) || message["method"] !== "subscriptions/listen" || !isObject(message["params"])) return undefined;
  const params = message["params"];
  const filter = params["notifications"];
  const uris = isObject(filter) ? filter["resourceSubscriptions"] : undefined;
  if (!isObject(filter) || !Array.isArray(uris) || !uris.every((uri) => typeof uri === "string")) return undefined;
  return { params, filter, uris };
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;
