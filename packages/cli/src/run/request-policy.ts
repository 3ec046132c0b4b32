import type { Logged } from "@baton/core/protocol/event";
import type { Answer, Request } from "@baton/core/protocol/request";
import { refusalOf } from "@baton/core/client/errors";
import { answerRequest } from "@baton/core/client/commands";
import type { DaemonConnection } from "../connection/daemon-connection.ts";
import { followInbox } from "@baton/core/client/follow-lists";

/** In which mode it is asked, and whether it is left for somebody to answer. */
export type RequestCircumstances = { mode: string; left: boolean };

export type RequestPolicy = {
  onRequest: OnRequest | "ask";
  link: DaemonConnection;
  tell: { request: (request: Request, asked: RequestCircumstances) => void; warn: (message: string) => void };
  /** Leaves the request open and ends. */
  leave: () => void;
};

/** A request has been opened, in a mode; it has been answered by somebody, or taken back. */
export type RequestListener = { opened: (request: Request, mode: string) => void; gone: (requestId: string) => void };

/** Opened requests are answered, asked, left or waited for. */
export function requestPolicy({ onRequest, link, tell, leave }: RequestPolicy): RequestListener {
  const asking = new Map<string, AbortController>();
  const send = async (request: Request, answer: Answer) => {
    try {
      await answerRequest(link.api, request, answer);
    } catch (error) {
      tell.warn(refusalOf(error)?.message ?? (error instanceof Error ? error.message : String(error)));
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
    // What is said of a server counts for longer than this turn, which goes on without it: nobody says it in a person's place.
    const ofServer = request.kind === "approval" && "server" in request.subject;
    if (onRequest !== "ask") tell.request(request, { mode, left: ofServer || onRequest === "wait" || onRequest === "fail" });
    if (onRequest !== "ask" && ofServer) return;
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

/** The same for the events of the session itself. */
export function applyRequestPolicy(event: Logged, mode: () => string, { opened, gone }: RequestListener): void {
  if (event.type === "request.opened") opened(event.request, mode());
  if (event.type === "request.answered" || event.type === "request.closed") gone(event.requestId);
}

const NOBODY = "Nobody is here to answer. Go on without this, or end your turn and say what you need to know.";

/** A "no" in the words of this request. The last choice is always the one that changes nothing. */
export function denyAnswer({ kind, choices, freeText }: Pick<Request, "kind" | "choices" | "freeText">): Answer {
  if (kind !== "approval" && freeText) return { text: NOBODY };
  return { choice: choices.find(({ id }) => id === "deny" || id === "stop")?.id ?? choices.at(-1)?.id ?? "deny", note: NOBODY };
}

/** A "yes", for once. A form that nobody fills in is put off. */
export function allowAnswer({ kind, choices }: Pick<Request, "kind" | "choices">): Answer {
  if (kind === "form") return { choice: choices.at(-1)?.id ?? "cancel" };
  const [first] = choices;
  return first ? { choice: first.id } : { text: "Go on as you think best." };
}

export const onRequestChoices = ["wait", "deny", "fail", "allow"] as const;
/** What to do with a request when nobody looks. */
export type OnRequest = (typeof onRequestChoices)[number];

/** What the sessions below one ask, told like its own: nobody else may be there to answer. Gives what ends it. */
export function watchSubtasks({ api }: DaemonConnection, sessionId: string, { opened, gone }: RequestListener): () => void {
  const open = new Set<string>();
  const following = followInbox(api, (items) => {
    const below = items.filter((item) => item.sessionId.startsWith(`${sessionId}.`));
    for (const id of open) {
      if (below.some((item) => item.id === id)) continue;
      open.delete(id);
      gone(id);
    }
    for (const { mode, ...request } of below) {
      if (open.has(request.id)) continue;
      open.add(request.id);
      opened(request, mode);
    }
  });
  return () => following.unsubscribe();
}
