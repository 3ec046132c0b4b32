import { omitUndefined } from "@baton/core/text/omit-undefined";
import type { PlanEntry, SessionUpdate, ToolCallContent, ToolCallStatus } from "@agentclientprotocol/sdk";
import type { ToolOutcome, Todo, ToolCall } from "@baton/core/protocol/tool-call";
import type { EventOf, LoggedEvent } from "@baton/core/protocol/event";
import type { StreamFrame } from "@baton/core/protocol/connection/stream-frame";
import { currentContextTokens } from "@baton/core/session/context/context-budget";
import { retryText } from "@baton/core/text/retry-text";
import { asSentence } from "@baton/core/text/format";
import type { SessionState } from "@baton/core/session/state";
import { resultContent, fenced, changedLines, callLocations, textContent } from "./tool-call-content.ts";
import { toolKind } from "@baton/core/tool/tool-table";

/** Output of a running command is cut to this many characters at its end. */
const MAX_OUTPUT = 8_000;

type SessionUpdates = {
  /** Forgets streamed text after a rewind or a restore of the store, because steps may repeat. */
  reset: () => void;
  /** The updates for an event, in order. `before` and `after` are the states around it. */
  event: (event: LoggedEvent, before: SessionState, after: SessionState) => SessionUpdate[];
  frame: (frame: StreamFrame) => SessionUpdate[];
  /** A sentence of Baton about the conversation, at the event `seq`. */
  notice: (text: string, seq: number) => SessionUpdate[];
};

type SessionUpdatesOptions = {
  /** Whether this client sent the prompt itself and already shows it. */
  isOwn: (promptId: string) => boolean;
  /** Whether the client supports updates about compaction. */
  compaction: boolean;
};

/** Converts events of a session to the protocol's updates. It does not repeat text that was already streamed. */
export function sessionUpdates(options: SessionUpdatesOptions): SessionUpdates {
  const streamed = new Map<string, number>();
  const outputs = new Map<string, string>();

  const chunk = (kind: "agent_message_chunk" | "agent_thought_chunk", text: string, messageId: string): SessionUpdate[] =>
    text === "" ? [] : [{ sessionUpdate: kind, content: { type: "text", text }, messageId }];

  const usage = (state: SessionState): SessionUpdate[] => {
    const size = state.step?.room?.context;
    if (size === undefined) return [];
    return [
      { sessionUpdate: "usage_update", used: currentContextTokens(state), size, cost: { amount: state.usage.cost, currency: "USD" } },
    ];
  };

  const replied = ({ step, text, reasoning = "", calls }: EventOf<"model.replied">, state: SessionState): SessionUpdate[] => {
    const id = `${step}.${state.step?.attempt ?? 1}`;
    return [
      ...chunk("agent_thought_chunk", reasoning.slice(streamed.get(`reasoning ${id}`) ?? 0), `${id}.reasoning`),
      ...chunk("agent_message_chunk", text.slice(streamed.get(`text ${id}`) ?? 0), id),
      ...calls.map((call) => requested(call, state.workspace)),
      ...usage(state),
    ];
  };

  const prompts = ({ promptIds }: EventOf<"prompt.delivered">, before: SessionState): SessionUpdate[] =>
    before.queue
      .filter(({ promptId, synthetic }) => promptIds.includes(promptId) && synthetic === undefined && !options.isOwn(promptId))
      .map(({ promptId, text }) => ({ sessionUpdate: "user_message_chunk", content: { type: "text", text }, messageId: promptId }));

  const compacted = (status: "completed" | "failed", id: number, message: string): SessionUpdate[] =>
    options.compaction
      ? [
          {
            sessionUpdate: "compaction_update",
            compactionId: `compaction ${id}`,
            status,
            ...(status === "completed" ? { summary: [{ type: "text" as const, text: message }] } : { error: message }),
          },
        ]
      : chunk("agent_thought_chunk", status === "completed" ? "The conversation was compacted." : message, `compaction ${id}`);

  const updates = (event: LoggedEvent, before: SessionState, after: SessionState): SessionUpdate[] => {
    switch (event.type) {
      case "prompt.delivered":
        return prompts(event, before); // a delivered prompt has left the queue
      case "turn.ended":
        return before.calls.filter(({ phase }) => phase !== "done").map(({ id }) => status(id, "failed", [textContent("stopped")]));
      case "model.replied":
        return replied(event, after);
      case "model.spent":
        return usage(after);
      case "model.failed":
        return chunk(
          event.code === "no_model" ? "agent_message_chunk" : "agent_thought_chunk", // only a missing model needs an action of the user
          failureText(event),
          `${event.step}.failure ${event.seq}`,
        );
      case "call.received":
        return [requested(event.call, after.workspace)];
      case "tool.started":
        return [status(event.callId, "in_progress")];
      case "tool.finished":
        outputs.delete(event.callId);
        return [
          {
            ...status(event.callId, OUTCOMES[event.result.outcome], resultContent(event.result, after.workspace)),
            ...(event.result.outcome === "ok" ? changedLines(event.result.view, after.workspace) : {}),
          },
        ];
      case "todos.changed":
        return [{ sessionUpdate: "plan", entries: event.todos.map(planEntry) }];
      case "mode.changed":
        return [{ sessionUpdate: "current_mode_update", currentModeId: event.to }];
      case "session.renamed":
        return [{ sessionUpdate: "session_info_update", title: event.title }];
      case "context.compacted":
        return compacted("completed", event.seq, event.summary);
      case "compaction.failed":
        return compacted("failed", event.seq, event.message);
      // These have no update of their own, or another part reports them: the inbox, the end of a turn, the config options.
      case "child.spent":
      case "child.ended":
      case "child.started":
      case "compaction.wanted":
      case "context.pruned":
      case "coordination.raised":
      case "diagnostics.reported":
      case "file.changed":
      case "file.kept":
      case "grant.given":
      case "grant.revoked":
      case "hook.finished":
      case "hook.started":
      case "limit.changed":
      case "limit.raised":
      case "model.chosen":
      case "model.kept":
      case "model.started":
      case "process.ended":
      case "process.started":
      case "prompt.edited":
      case "prompt.received":
      case "prompt.withdrawn":
      case "queue.resumed":
      case "sandbox.exceeded":
      case "request.answered":
      case "request.closed":
      case "request.opened":
      case "root.added":
      case "root.removed":
      case "server.settled":
      case "session.archived":
      case "session.created":
      case "session.rewound":
      case "tool.allowed":
      case "toolset.changed":
      case "trust.settled":
      case "undo.finished":
      case "undo.started":
      case "variables.changed":
        return [];
    }
  };

  return {
    notice: (text, seq) => chunk("agent_message_chunk", text, `notice-${seq}`),
    reset() {
      streamed.clear();
      outputs.clear();
    },
    event: updates,
    frame(frame) {
      switch (frame.type) {
        case "text":
        case "reasoning": {
          const id = `${frame.step}.${frame.attempt}`;
          streamed.set(`${frame.type} ${id}`, frame.offset + frame.text.length);
          return frame.type === "text"
            ? chunk("agent_message_chunk", frame.text, id)
            : chunk("agent_thought_chunk", frame.text, `${id}.reasoning`);
        }
        case "output": {
          const text = `${outputs.get(frame.callId) ?? ""}${frame.text}`.slice(-MAX_OUTPUT);
          outputs.set(frame.callId, text);
          return [status(frame.callId, "in_progress", [textContent(fenced(text))])];
        }
        case "call":
          return []; // incomplete JSON arguments
        case "stalled":
          return chunk("agent_thought_chunk", frame.message ?? "", "stalled");
      }
    },
  };
}

function requested({ id, tool, input, raw, label }: ToolCall, workspace: string): SessionUpdate {
  return {
    sessionUpdate: "tool_call",
    toolCallId: id,
    title: `${label.verb} ${label.object}`.trim(),
    name: tool,
    kind: toolKind(tool),
    status: "pending",
    rawInput: input ?? raw,
    locations: callLocations(input, workspace),
  };
}

const status = (toolCallId: string, now: ToolCallStatus, content?: ToolCallContent[]): SessionUpdate => ({
  sessionUpdate: "tool_call_update",
  toolCallId,
  status: now,
  ...omitUndefined({ content }),
});

const OUTCOMES: Readonly<Record<ToolOutcome, ToolCallStatus>> = {
  ok: "completed",
  failed: "failed",
  denied: "failed",
  interrupted: "failed",
  unknown: "failed",
};

const planEntry = ({ text, state }: Todo): PlanEntry => ({ content: text, priority: "medium", status: STATES[state] });

const STATES = { open: "pending", doing: "in_progress", done: "completed" } as const;

function failureText(failure: LoggedEvent<EventOf<"model.failed">>): string {
  const again = retryText(failure, failure.at);
  return again === "" ? failure.message : `${asSentence(failure.message)} ${again}...`;
}
