import { oneLine } from "./sanitize.ts";

/** The message for the user where Baton compacted the conversation. Sizes are in tokens. */
export function compactionText({ summary, before, after, only, problem }: Compaction): string {
  if (problem !== undefined) return `The conversation was not compacted: ${oneLine(problem)}`;
  const sizes = before === undefined || after === undefined ? "" : `, ${thousands(before)} to ${thousands(after)} tokens`;
  if (summary !== undefined) return `The conversation was summarized for the model${sizes}`;
  return `${only === "images" ? "Images of tool calls" : "Old outputs"} were removed for the model${sizes}`;
}

type Compaction = { summary?: string; before?: number; after?: number; only?: "images"; problem?: string };

const thousands = (tokens: number): string =>
  tokens < 1_000 ? `${Math.round(tokens)}` : `${(tokens / 1_000).toFixed(tokens < 10_000 ? 1 : 0)}k`;
