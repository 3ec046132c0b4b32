import type { StreamFrame } from "../protocol/stream-frame.ts";

/** Reduces a frame to the text that did not come before; undefined when there is none. After a reconnect the daemon sends texts from their start. */
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
