import type { LoggedEvent } from "@baton/core/protocol/event";
import type { RequestAnswer, Request } from "@baton/core/protocol/request";
import { refusalOf } from "@baton/core/client/rpc-errors";
import { answerRequest } from "@baton/core/client/command-client";
import type { DaemonConnection } from "../connection/daemon-connection.ts";
import { followInbox } from "@baton/core/client/follow-lists";

/** The mode of the session, and whether the request stays open for another client. */
export type RequestCircumstances = { mode: string; left: boolean };

type RequestPolicy = {
  onRequest: OnRequest | "ask";
  link: DaemonConnection;
  reporter: { request: (request: Request, circumstances: RequestCircumstances) => void; warn: (message: string) => void };
  /** Leaves the request open and ends the run. */
  leave: () => void;
};

/** Called when a request opens, and when it is answered or closed. */
export type RequestListener = { opened: (request: Request, mode: string) => void; gone: (requestId: string) => void };

/** Answers, asks, or leaves open requests according to `--on-request`. */
export function requestPolicy({ onRequest, link, reporter, leave }: RequestPolicy): RequestListener {
  const asking = new Map<string, AbortController>();
  const send = async (request: Request, answer: RequestAnswer) => {
    try {
      await answerRequest(link.api, request, answer);
    } catch (error) {
      reporter.warn(refusalOf(error)?.message ?? (error instanceof Error ? error.message : String(error)));
    }
  };
  const ask = async (request: Request, mode: string) => {
    const { promptForAnswer } = await import("./prompt-for-answer.ts");
    const abort = new AbortController();
    asking.set(request.id, abort);
    const answer = await promptForAnswer(request, mode, abort.signal);
    asking.delete(request.id);
    if (answer) await send(request, answer);
  };
  const opened: RequestListener["opened"] = (request, mode) => {
    // An answer about a server, a tool, an environment or a hook applies beyond this turn, so Baton never answers it automatically. The turn continues
    // without the server, the tool or the environment. It cannot continue without a hook, because the hook may be a guard.
    const isAboutServer = request.kind === "approval" && ["server", "tools", "environment"].some((name) => name in request.subject);
    const isAboutHooks = "hooks" in request.subject;
    const left = isAboutServer || isAboutHooks || onRequest === "wait" || onRequest === "fail";
    if (onRequest !== "ask") reporter.request(request, { mode, left });
    if (onRequest !== "ask" && isAboutServer) return;
    if (isAboutHooks && (onRequest === "deny" || onRequest === "allow")) return leave();
    switch (onRequest) {
      case "wait":
        return;
      case "fail":
        return leave();
      case "deny":
      case "allow":
        return void send(request, onRequest === "deny" ? denyAnswer(request) : allowAnswer(request));
      case "ask":
        return void ask(request, mode);
    }
  };
  return { opened, gone: (requestId) => asking.get(requestId)?.abort() };
}

/** Passes request events of the session to a listener. */
export function applyRequestPolicy(event: LoggedEvent, mode: () => string, { opened, gone }: RequestListener): void {
  if (event.type === "request.opened") opened(event.request, mode());
  if (event.type === "request.answered" || event.type === "request.closed") gone(event.requestId);
}

const NOBODY = "Nobody can answer now. Continue without this, or end your turn and say what you need to know.";

/** A refusal in the form of this request. The last choice never changes anything. */
function denyAnswer({ kind, choices, freeText }: Pick<Request, "kind" | "choices" | "freeText">): RequestAnswer {
  if (kind !== "approval" && freeText) return { text: NOBODY };
  return { choice: choices.find(({ id }) => id === "deny" || id === "stop")?.id ?? choices.at(-1)?.id ?? "deny", note: NOBODY };
}

/** An approval for one call. A form is cancelled, because it needs input. */
export function allowAnswer({ kind, choices }: Pick<Request, "kind" | "choices">): RequestAnswer {
  if (kind === "form") return { choice: choices.at(-1)?.id ?? "cancel" };
  const [first] = choices;
  return first ? { choice: first.id } : { text: "Continue as you think best." };
}

export const onRequestChoices = ["wait", "deny", "fail", "allow"] as const;
/** The treatment of requests that nobody can answer. */
export type OnRequest = (typeof onRequestChoices)[number];

/**
 * Passes requests of subtasks to a listener, because no other client may be there to answer. Returns a function that stops
 * it.
 */
export function watchSubtasks({ api }: DaemonConnection, sessionId: string, { opened, gone }: RequestListener): () => void {
  const open = new Set<string>();
  const following = followInbox(api, (items) => {
    const requests = items.filter((item) => item.sessionId.startsWith(`${sessionId}.`));
    for (const id of open) {
      if (requests.some((item) => item.id === id)) continue;
      open.delete(id);
      gone(id);
    }
    for (const { mode, ...request } of requests) {
      if (open.has(request.id)) continue;
      open.add(request.id);
      opened(request, mode);
    }
  });
  return () => following.unsubscribe();
}
