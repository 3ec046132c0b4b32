import type { LoggedEvent } from "../protocol/event.ts";
import type { StreamFrame } from "../protocol/connection/stream-frame.ts";
import type { CallId } from "../protocol/ids.ts";
import { appendTail, type TextTail } from "./text-tail.ts";

/** Streaming text: the reply in progress, the output of running calls, and the reason why the store cannot be written, or null. */
export type StreamingState = {
  reply: StreamingReply | undefined;
  outputs: Map<CallId, TextTail>;
  stalled: string | null;
};

export type StreamingReply = { step: number; attempt: number; text: string; reasoning: string; call?: StreamingCall };

/** The call whose arguments are arriving, and the number of their characters so far. */
export type StreamingCall = { tool: string; characters: number };

export const noStreams = (): StreamingState => ({ reply: undefined, outputs: new Map(), stalled: null });

/** The number of characters that a client keeps from the end of a running call's output. */
const MAX_OUTPUT = 16_384;

/** Adds a frame. Offsets count from the start of a text, so resent text overwrites. */
export function addFrame(streams: StreamingState, frame: StreamFrame, maxOutput = MAX_OUTPUT): void {
  switch (frame.type) {
    case "text":
    case "reasoning": {
      const reply = replyOf(streams, frame);
      streams.reply = { ...reply, [frame.type]: reply[frame.type].slice(0, frame.offset) + frame.text };
      return;
    }
    case "call":
      streams.reply = { ...replyOf(streams, frame), call: { tool: frame.tool, characters: frame.offset + frame.text.length } };
      return;
    case "output":
      streams.outputs.set(frame.callId, appendTail(streams.outputs.get(frame.callId), frame, maxOutput));
      return;
    case "stalled":
      streams.stalled = frame.message;
  }
}

/** The streaming reply of a frame. Another step or attempt begins a new one. */
function replyOf({ reply }: StreamingState, { step, attempt }: { step: number; attempt: number }): StreamingReply {
  return reply?.step === step && reply.attempt === attempt ? reply : { step, attempt, text: "", reasoning: "" };
}

/** Removes streaming text that an event now contains. */
export function endStreams(streams: StreamingState, event: LoggedEvent): void {
  if (event.type === "tool.finished") streams.outputs.delete(event.callId);
  if (event.type === "turn.ended") streams.outputs.clear();
  if (event.type === "model.replied" || event.type === "model.failed" || event.type === "turn.ended") streams.reply = undefined;
}

/** Removes text that already arrived from a frame. Undefined if nothing is left. After a reconnect the daemon resends texts from their start. */
export function newFrameFilter(): (frame: StreamFrame) => StreamFrame | undefined {
  const ends = new Map<string, number>();
  return (frame) => {
    if (frame.type === "stalled") return frame;
    const key = textId(frame);
    const known = ends.get(key) ?? 0;
    const end = frame.offset + frame.text.length;
    if (end <= known) return undefined;
    ends.set(key, end);
    return frame.offset >= known ? frame : { ...frame, offset: known, text: frame.text.slice(known - frame.offset) };
  };
}

/** Identifies the text that a frame is a piece of. */
function textId(frame: Exclude<StreamFrame, { type: "stalled" }>): string {
  if (frame.type === "output") return frame.callId;
  const reply = `${frame.type} ${frame.step}.${frame.attempt}`;
  return frame.type === "call" ? `${reply}.${frame.index}` : reply;
}
