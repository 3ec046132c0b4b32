import { omitUndefined } from "@baton/core/text/omit-undefined";
import type { TokenUsage } from "@baton/core/protocol/tool-call";
import type { LoggedEvent, ModelFault, TurnEndReason } from "@baton/core/protocol/event";
import type { StreamFrame } from "@baton/core/protocol/connection/stream-frame";
import { addUsage, noUsage } from "@baton/core/session/usage/add-usage";
import type { RequestListener } from "./request-policy.ts";

/** The result of a turn: the last line of `baton run --json`, and fields for the exit code. */
export type TurnResult = {
  session: string;
  status: TurnEndReason | "waiting";
  text: string;
  usage: TokenUsage;
  steps: number;
  requests: { opened: number; answered: number; denied: number };
  message?: string;
  /** The answer as JSON, if a schema was given. */
  output?: unknown;
  interrupted: boolean;
  /** Whether `--timeout` stopped the turn. */
  timedOut?: true;
  fault?: ModelFault;
};

export type TurnEvent = { event: LoggedEvent } | { frame: StreamFrame };

/** Follows a prompt to the end of its turn and adds up the usage. */
export function collectTurn(session: string, promptId: string, initialMode = "") {
  const requests = { opened: 0, answered: 0, denied: 0 };
  let [isOwn, over, wasInterrupted, steps] = [false, false, false, 0];
  let usage = noUsage;
  let [text, mode] = ["", initialMode];
  /** The text of a reply that has not ended. It is the result if the turn is stopped within it. */
  let partial = "";
  let end: { reason: TurnEndReason; message?: string | undefined } = { reason: "stopped" };
  let fault: ModelFault | undefined;

  const takeEvent = (event: LoggedEvent) => {
    switch (event.type) {
      case "prompt.delivered":
        isOwn ||= event.promptIds.some((id) => id === promptId);
        return;
      case "prompt.withdrawn": // a hook refused it: in a turn with this reason, otherwise a turn of its own ends next
        if (event.promptId !== promptId) return;
        isOwn = true;
        if (event.reason === undefined) return;
        end = { reason: "denied", message: event.reason };
        over = true;
        return;
      case "session.created":
        mode = event.mode;
        return;
      case "mode.changed":
        mode = event.to;
        return;
      case "model.started":
        partial = "";
        if (isOwn && event.attempt === 1) steps++;
        return;
      case "model.replied":
        usage = addUsage(usage, event.usage);
        partial = "";
        if (event.text.trim() !== "") text = event.text;
        fault = undefined;
        return;
      case "model.spent":
      case "context.compacted":
        usage = addUsage(usage, event.usage);
        return;
      case "model.kept":
        if (event.text.length > partial.length) partial = event.text;
        return;
      case "model.failed":
        fault = event.code;
        return;
      case "request.opened":
        requests.opened++;
        return;
      case "request.answered":
        requests.answered++;
        if (event.answer.choice === "deny" || event.answer.choice === "stop") requests.denied++;
        return;
      case "tool.finished":
        if (event.result.ends) text = event.result.text;
        return;
      case "turn.ended":
        if (!isOwn) return;
        end = { reason: event.reason, message: event.message };
        over = true;
        return;
      case "session.renamed":
      case "session.archived":
      case "session.rewound":
      case "prompt.received":
      case "prompt.edited":
      case "queue.resumed":
      case "coordination.raised":
      case "child.started":
      case "child.spent":
      case "child.ended":
      case "trust.settled":
      case "root.added":
      case "root.removed":
      case "server.settled":
      case "call.received":
      case "toolset.changed":
      case "diagnostics.reported":
      case "file.kept":
      case "file.changed":
      case "undo.started":
      case "undo.finished":
      case "model.chosen":
      case "limit.changed":
      case "limit.raised":
      case "tool.allowed":
      case "tool.started":
      case "request.closed":
      case "grant.given":
      case "grant.revoked":
      case "hook.finished":
      case "hook.started":
      case "todos.changed":
      case "variables.changed":
      case "compaction.wanted":
      case "compaction.failed":
      case "context.pruned":
      case "process.started":
      case "process.ended":
      case "sandbox.exceeded":
        return;
    }
  };

  return {
    over: () => over,
    mode: () => mode,
    interrupt: () => (wasInterrupted = true),
    /** Also counts requests of subtasks. Their own sessions record the answers. */
    counted: ({ opened, gone }: RequestListener): RequestListener => ({
      opened: (request, inMode) => {
        requests.opened++;
        opened(request, inMode);
      },
      gone: (requestId) => {
        requests.answered++;
        gone(requestId);
      },
    }),
    /** The events and frames of the turn, in order. Everything after its end is left out. */
    take(events: readonly LoggedEvent[], frames: readonly StreamFrame[]): TurnEvent[] {
      const items: TurnEvent[] = [];
      for (const event of events) {
        if (over) break;
        takeEvent(event);
        items.push({ event });
      }
      if (over) return items;
      for (const frame of frames) {
        if (frame.type === "text") partial = partial.slice(0, frame.offset) + frame.text;
        items.push({ frame });
      }
      return items;
    },
    result: (status?: TurnResult["status"]): TurnResult => ({
      session,
      status: status ?? end.reason,
      text: partial.trim() === "" || !(over || status === "stopped") ? text : partial,
      usage,
      steps,
      requests,
      ...omitUndefined({ message: end.message }),
      interrupted: wasInterrupted,
      ...omitUndefined({ fault }),
    }),
  };
}
