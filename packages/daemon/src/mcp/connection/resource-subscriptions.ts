import type { Client } from "@modelcontextprotocol/client";

type Listener = (uri: string) => void;
type Watched = { listeners: Map<Listener, number>; end?: Promise<() => Promise<unknown>> };

/** The subscriptions to resources of one server, across reconnects. */
type ResourceSubscriptions = {
  /** Calls the listener when the resource changes, once even if it was added twice. Returns a function that removes it. */
  add: (uri: string, listener: Listener) => () => void;
  updated: (uri: string) => void;
  /** Subscribes to everything again in a new connection. */
  begin: (client: Client) => void;
};

/** `connected`: the current connection. `report`: receives problems of a subscription. */
export function openResourceSubscriptions(connected: () => Client | undefined, report: (problem: string) => void): ResourceSubscriptions {
  const all = new Map<string, Watched>();
  const subscribe = (uri: string, watched: Watched, client: Client): void => {
    watched.end = subscribed(client, uri);
    watched.end.catch((error: unknown) => report(`${uri} cannot be watched: ${error instanceof Error ? error.message : String(error)}`));
  };
  return {
    add(uri, listener) {
      const before = all.get(uri);
      const watched = before ?? { listeners: new Map<Listener, number>() };
      watched.listeners.set(listener, (watched.listeners.get(listener) ?? 0) + 1);
      if (!before) {
        all.set(uri, watched);
        const client = connected();
        if (client) subscribe(uri, watched, client);
      }
      let isOver = false;
      return () => {
        if (isOver) return;
        isOver = true;
        const left = (watched.listeners.get(listener) ?? 0) - 1;
        if (left > 0) return void watched.listeners.set(listener, left);
        watched.listeners.delete(listener);
        if (watched.listeners.size > 0) return;
        all.delete(uri);
        watched.end?.then((end) => end()).catch(() => undefined); // a closed connection has no subscriptions
      };
    },
    updated(uri) {
      for (const listener of all.get(uri)?.listeners.keys() ?? []) listener(uri);
    },
    begin(client) {
      for (const [uri, watched] of all) subscribe(uri, watched, client);
    },
  };
}

async function subscribed(client: Client, uri: string): Promise<() => Promise<unknown>> {
  if (client.getProtocolEra() === "modern") {
    const subscription = await client.listen({ resourceSubscriptions: [uri] });
    return () => subscription.close();
  }
  await client.subscribeResource({ uri });
  return () => client.unsubscribeResource({ uri });
}
