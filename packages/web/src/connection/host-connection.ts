import { commandLinks } from "@baton/core/client/command-client";
import type { AppRouter } from "@baton/daemon/router";
import { createTRPCClient, TRPCClientError, type TRPCLink } from "@trpc/client";
import { observable } from "@trpc/server/observable";
import type { EditorHost } from "./editor-host.ts";
import type { DaemonConnection, ConnectionState } from "./connection-types.ts";
import { observableValue } from "./observable.ts";

type Call = { item: (data: unknown) => void; ended: () => void; failed: (error: TRPCClientError<AppRouter>) => void };

/** A connection through the editor, whose extension owns the real connection. */
export function openHostConnection(host: Pick<EditorHost, "say" | "listen">): DaemonConnection {
  const state = observableValue<ConnectionState>({ kind: "connecting" });
  const calls = new Map<number, Call>();
  let last = 0;

  host.listen((message) => {
    switch (message.kind) {
      case "state":
        return state.set(message.state);
      case "item":
        return calls.get(message.id)?.item(message.data);
      case "ended":
        return calls.get(message.id)?.ended();
      case "failed":
        return calls.get(message.id)?.failed(toError(message.message, message.error));
      case "go":
      case "insert":
      case "mentions":
        return undefined; // handled by the page itself
    }
  });

  const passing: TRPCLink<AppRouter> =
    () =>
    ({ op }) =>
      observable((observer) => {
        const id = ++last;
        const forget = () => calls.delete(id);
        calls.set(id, {
          item: (data) => {
            observer.next({ result: { type: "data", data } });
            if (op.type === "subscription") return;
            forget();
            observer.complete();
          },
          ended: () => {
            forget();
            observer.complete();
          },
          failed: (error) => {
            forget();
            observer.error(error);
          },
        });
        host.say({ kind: "call", id, type: op.type, path: op.path, input: op.input });
        return () => {
          if (forget()) host.say({ kind: "stop", id });
        };
      });

  host.say({ kind: "ready" });
  const api = createTRPCClient<AppRouter>({ links: [...commandLinks<AppRouter>(), passing] });
  return { api, state, connect: () => host.say({ kind: "connect" }), close: () => Promise.resolve() };
}

/** An error in the daemon's shape is its response; any other error means that the call was lost. */
const toError = (message: string, shape: unknown): TRPCClientError<AppRouter> =>
  typeof shape === "object" && shape !== null
    ? TRPCClientError.from({ error: shape } as Parameters<typeof TRPCClientError.from>[0]) // passed on unchanged
    : TRPCClientError.from(new Error(message));
