import type { ToolCall } from "../protocol/tool-call.ts";

/** How many of the newest calls are compared. */
const MAX_REMEMBERED_CALLS = 6;
const IN_A_ROW = 3;
const ROUNDS = 3;
const LONG = 400;

/** A key for a call: its tool and its arguments. */
export function callKey({ tool, input, raw }: Pick<ToolCall, "tool" | "input" | "raw">): string {
  const text = `${tool} ${raw ?? JSON.stringify(input) ?? ""}`;
  return text.length <= LONG ? text : `${text.slice(0, LONG)}… ${text.length} ${hash(text)}`;
}

export const rememberCall = (recent: readonly string[], key: string): string[] => [...recent, key].slice(-MAX_REMEMBERED_CALLS);

/** Says what one more call would be: the third identical one, or the third round of two alternating calls. */
export function countRepeats(recent: readonly string[], key: string): "same" | "ping-pong" | undefined {
  const all = [...recent, key];
  if (all.length >= IN_A_ROW && all.slice(-IN_A_ROW).every((each) => each === key)) return "same";
  const rounds = all.slice(-2 * ROUNDS);
  const alternates = rounds.length === 2 * ROUNDS && rounds.every((each, i) => i < 2 || each === rounds[i - 2]);
  return alternates ? "ping-pong" : undefined;
}

/** FNV-1a, which is enough to distinguish long arguments. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193) >>> 0;
  return value;
}
