import { FromPage, type HostState, type ToPage } from "@baton/core/protocol/connection/webview-messages";
import { getUntypedClient, TRPCClientError } from "@trpc/client";
import * as vscode from "vscode";
import { runDetached } from "../connection/run-detached.ts";
import type { DaemonConnection, ConnectionState } from "../connection/connection.ts";
import { NOT_TRUSTED } from "../connection/session-command-sender.ts";

type Call = Extract<FromPage, { kind: "call" }>;
type Other = Exclude<FromPage, { kind: "call" | "stop" }>;

/** The parts of the relay: the connection, the webview, and a handler for messages that are not calls. */
export type RelayOptions = {
  link: DaemonConnection;
  webview: vscode.Webview;
  onMessage: (message: Other) => void;
  /** Changes the input of a call before it is sent. */
  outgoing: (path: string, input: unknown) => unknown;
};

/** Passes the page's calls to the daemon and the results back, without reading them. */
export function relayCalls({ link, webview, onMessage, outgoing }: RelayOptions): vscode.Disposable {
  const stops = new Map<number, () => void>();
  const post = (message: ToPage) => runDetached(webview.postMessage(message), () => undefined); // the page may be gone
  const postState = () => {
    const state = hostState(link.state);
    if (state) post({ kind: "state", state });
  };

  const listening = [
    link.onState(postState),
    webview.onDidReceiveMessage((received: unknown) => {
      const message = FromPage.parse(received);
      switch (message.kind) {
        case "call":
          return call(message);
        case "stop":
          stops.get(message.id)?.();
          return void stops.delete(message.id);
        case "ready":
          stopAll(); // the page was reloaded and does not know its earlier calls
          postState();
          return onMessage(message);
        case "at":
        case "connect":
        case "open":
          return onMessage(message);
      }
    }),
  ];
  return {
    dispose: () => {
      stopAll();
      for (const each of listening) each.dispose();
    },
  };

  function call({ id, type, path, input }: Call): void {
    if (type === "mutation" && !vscode.workspace.isTrusted) return post({ kind: "failed", id, ...forbidden });
    const abort = new AbortController();
    stops.set(id, () => abort.abort());
    const item = (data: unknown) => post({ kind: "item", id, data });
    const failed = (error: unknown) => {
      if (!stops.delete(id)) return;
      const shape = error instanceof TRPCClientError ? (error.shape as unknown) : undefined;
      post({ kind: "failed", id, message: error instanceof Error ? error.message : String(error), ...(shape ? { error: shape } : {}) });
    };
    runDetached(start(), failed);

    async function start(): Promise<void> {
      const client = getUntypedClient(await link.api());
      const sent = outgoing(path, input);
      const { signal } = abort;
      if (signal.aborted) return;
      if (type === "subscription") {
        const following = client.subscription(path, sent, {
          onData: item,
          onError: failed,
          onComplete: () => {
            if (stops.delete(id)) post({ kind: "ended", id });
          },
        });
        return stops.set(id, () => following.unsubscribe()) && undefined;
      }
      const answer = type === "query" ? await client.query(path, sent, { signal }) : await client.mutation(path, sent, { signal });
      if (stops.delete(id)) item(answer);
    }
  }

  function stopAll(): void {
    for (const stop of stops.values()) stop();
    stops.clear();
  }
}

const forbidden = { message: NOT_TRUSTED, error: { message: NOT_TRUSTED, code: -32003, data: { code: "FORBIDDEN" } } };

/** The state for the page. For a daemon of another version the extension shows an error instead. */
function hostState(state: ConnectionState): HostState | undefined {
  switch (state.kind) {
    case "connecting":
    case "connected":
    case "lost":
      return state;
    case "absent":
      return state.otherVersion ? undefined : { kind: "lost", since: state.since, problem: state.problem };
  }
}
