import type { Logged } from "@baton/core/protocol/event";
import type { Frame } from "@baton/core/protocol/frame";
import type { CallId } from "@baton/core/protocol/ids";
import { withPiece, type Tail } from "@baton/core/text/tail";

/** Text that is streaming: of the reply under way, and of running calls; and why the store cannot be written, if so. */
export type Streams = {
  reply: { step: number; attempt: number; text: string; reasoning: string; call?: ComingCall } | undefined;
  outputs: Map<CallId, Tail>;
  stalled: string | null;
};

/** The call whose arguments are coming: how many characters there are by now. */
export type ComingCall = { tool: string; characters: number };

export const noStreams = (): Streams => ({ reply: undefined, outputs: new Map(), stalled: null });

/** Of a running call the end of its output is kept. */
const OUTPUT_KEPT = 16_384;

/** Offsets count from the start of the text, so what comes again after a lost connection overwrites. */
export function takeFrame(streams: Streams, frame: Frame): void {
  switch (frame.type) {
    case "text":
    case "reasoning": {
      const { step, attempt, offset, text } = frame;
      const same = streams.reply?.step === step && streams.reply.attempt === attempt;
      const reply = same && streams.reply ? streams.reply : { step, attempt, text: "", reasoning: "" };
      const field = frame.type;
      streams.reply = { ...reply, [field]: reply[field].length === offset ? reply[field] + text : reply[field].slice(0, offset) + text };
      return;
    }
    case "call": {
      const { step, attempt, tool, offset, text } = frame;
      const same = streams.reply?.step === step && streams.reply.attempt === attempt;
      const reply = same && streams.reply ? streams.reply : { step, attempt, text: "", reasoning: "" };
      streams.reply = { ...reply, call: { tool, characters: offset + text.length } };
      return;
    }
    case "output":
      return void streams.outputs.set(frame.callId, withPiece(streams.outputs.get(frame.callId), frame, OUTPUT_KEPT));
    case "stalled":
      streams.stalled = frame.message;
      return;
  }
}

/** An event that says a thing for good ends the sight of it. */
export function settle(streams: Streams, event: Logged): void {
  if (event.type === "tool.finished") streams.outputs.delete(event.callId);
  if (event.type === "turn.ended") streams.outputs.clear();
  if (event.type === "model.replied" || event.type === "model.failed" || event.type === "turn.ended") streams.reply = undefined;
}
