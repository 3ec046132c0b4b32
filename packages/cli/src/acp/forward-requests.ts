import type { AgentContext } from "@agentclientprotocol/sdk";
import { answerRequest } from "@baton/core/client/command-client";
import type { InboxItem } from "@baton/core/protocol/request";
import type { Api } from "../connection/daemon-connection.ts";
import { elicitationAnswer, toElicitation, isForm, toPermissionRequest, TYPED } from "./request-to-acp.ts";

type RequestBridgeOptions = {
  api: Api;
  client: AgentContext;
  sessionId: string;
  /** Whether the client can show forms. */
  forms: boolean;
  /** Called when the user wants to type the answer as the next prompt. */
  onTyping: () => void;
};

/**
 * Shows the open requests of a session to one client. Unanswered requests stay open; requests that another client answers
 * are withdrawn.
 */
export function forwardRequests({ api, client, sessionId, forms, onTyping }: RequestBridgeOptions) {
  const pending = new Map<string, AbortController>();
  let typed: InboxItem | undefined;

  const ask = async (item: InboxItem, signal: AbortSignal) => {
    const options = { cancellationSignal: signal, stopWaitingOnCancel: true };
    if (forms && isForm(item)) {
      const answer = elicitationAnswer(item, await client.request("elicitation/create", toElicitation(item, sessionId), options));
      return answer && answerRequest(api, item, answer);
    }
    const { outcome } = await client.request("session/request_permission", toPermissionRequest(item, sessionId), options);
    if (outcome.outcome === "cancelled") return undefined;
    if (outcome.optionId !== TYPED) return answerRequest(api, item, { choice: outcome.optionId });
    typed = item;
    return onTyping();
  };

  return {
    /** Takes all open requests, each time they change. */
    show(items: readonly InboxItem[]) {
      const open = new Set<string>(items.map(({ id }) => id));
      for (const [id, abort] of pending) {
        if (open.has(id)) continue;
        pending.delete(id);
        abort.abort();
      }
      for (const item of items) {
        if (pending.has(item.id)) continue;
        const abort = new AbortController();
        pending.set(item.id, abort);
        ask(item, abort.signal).catch((error: unknown) => {
          if (!abort.signal.aborted)
            process.stderr.write(`baton: request ${item.id} stays open: ${error instanceof Error ? error.message : String(error)}\n`);
        });
      }
    },
    /** Answers the request for which the user chose to type. Returns false if there is none. */
    async answerTyped(text: string): Promise<boolean> {
      const item = typed;
      typed = undefined;
      if (item === undefined || !pending.has(item.id)) return false;
      await answerRequest(api, item, { text });
      return true;
    },
    close() {
      for (const abort of pending.values()) abort.abort();
      pending.clear();
    },
  };
}
