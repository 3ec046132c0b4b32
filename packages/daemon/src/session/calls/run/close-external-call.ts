import type { ToolResult } from "@baton/core/protocol/tool-call";
import type { SessionEvent } from "@baton/core/protocol/event";
import type { Call } from "@baton/core/session/state";
import { withdrawRequest } from "../../coordination/mode-change-events.ts";

export const CLIENT_LOST: ToolResult = {
  outcome: "interrupted",
  text: "The client that made this call has disconnected.",
  end: "client gone",
};

/** Closes a call of another agent that nobody waits for anymore. */
export const closeExternalCall = (call: Call): SessionEvent[] => [
  ...withdrawRequest(call),
  { type: "tool.finished", callId: call.id, result: CLIENT_LOST },
];
