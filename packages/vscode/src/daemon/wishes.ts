import type { Answer } from "@baton/core/protocol/request";
import { insist, newCommandId, refusalOf, type Api } from "@baton/daemon/client";
import * as vscode from "vscode";
import type { InboxItem } from "./lists.ts";
import type { Link } from "./link.ts";

export type Wish = Parameters<Api["session"]["send"]["mutate"]>[0]["wish"];

export const NOT_TRUSTED =
  "This workspace is not trusted in the editor, so Baton only shows its sessions. Trust it to answer and to prompt.";

/** What the editor's own commands ask of the daemon. Each bears one id, so that over a lost connection it counts once. */
export type Wishes = {
  answer: (request: Pick<InboxItem, "id" | "hash">, answer: Answer) => Promise<void>;
  send: (sessionId: string, wish: Wish) => Promise<void>;
};

export function wishesOf(link: Link): Wishes {
  return {
    answer: ({ id, hash }, answer) => {
      const commandId = newCommandId();
      const bound = hash === undefined ? answer : { ...answer, hash };
      return carry(link, (api) => api.request.answer.mutate({ commandId, requestId: id, answer: bound }));
    },
    send: (sessionId, wish) => {
      const commandId = newCommandId();
      return carry(link, (api) => api.session.send.mutate({ sessionId, commandId, wish }));
    },
  };
}

/** Carries a wish to its answer; a refusal, and a workspace that is not trusted, are shown. */
async function carry(link: Link, wish: (api: Api) => Promise<unknown>): Promise<void> {
  if (!vscode.workspace.isTrusted) return tell(NOT_TRUSTED);
  try {
    await insist(async () => wish(await link.api()));
  } catch (error) {
    tell(refusalOf(error)?.message ?? String(error));
  }
}

/** Says what went wrong, and waits for nobody. */
export function tell(problem: string): void {
  void vscode.window.showWarningMessage(problem);
}
