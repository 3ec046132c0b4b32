import type { Frame } from "@baton/core/protocol/frame";

/** Gives of each frame what was not given yet: after a lost connection texts are sent from their start again. */
export function unseenOf(): (frame: Frame) => Frame | undefined {
  const seen = new Map<string, number>();
  return (frame) => {
    if (frame.type === "stalled") return frame;
    const key = keyOf(frame);
    const known = seen.get(key) ?? 0;
    const end = frame.offset + frame.text.length;
    if (end <= known) return undefined;
    seen.set(key, end);
    return frame.offset >= known ? frame : { ...frame, offset: known, text: frame.text.slice(known - frame.offset) };
  };
}

function keyOf(frame: Exclude<Frame, { type: "stalled" }>): string {
  if (frame.type === "output") return frame.callId;
  const of = `${frame.type} ${frame.step}.${frame.attempt}`;
  return frame.type === "call" ? `${of}.${frame.index}` : of;
}
