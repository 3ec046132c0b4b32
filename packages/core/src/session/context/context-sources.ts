import type { Message } from "./build-messages.ts";
import { estimateTokens, IMAGE_TOKENS } from "./context-budget.ts";

/** Where a part of the context comes from, in the order of a request. */
export type ContextSource = "prompt" | "instructions" | "skills" | "tools" | "mcp" | "messages" | "files" | "results";

/** A part of the context: an instruction file, a tool, a file that the agent read. `count`: how often it occurs, if more than once. */
export type ContextItem = { source: ContextSource; name: string; tokens: number; count?: number };

/**
 * The contents of the context of a session's next step. Sizes are in tokens. `tokens` and those of the items are estimates by the number of
 * characters. `counted`: the provider's last count, and an estimate of what came since. `window`: the most that the model can read.
 * `compactsAt`: the size from which Baton compacts the conversation. Unknown values are absent.
 */
export type ContextReport = {
  model?: string;
  window?: number;
  compactsAt?: number;
  counted?: number;
  tokens: number;
  items: ContextItem[];
  /** The tools whose environment commands get, such as `venv`. Absent without any. */
  environment?: string[];
};

/** Adds up items of the same source and name. Items without tokens are left out. */
export function mergeItems(items: readonly ContextItem[]): ContextItem[] {
  const merged = new Map<string, ContextItem>();
  for (const { source, name, tokens } of items) {
    if (tokens === 0) continue;
    const key = `${source} ${name}`;
    const before = merged.get(key);
    merged.set(key, before ? { ...before, tokens: before.tokens + tokens, count: (before.count ?? 1) + 1 } : { source, name, tokens });
  }
  return [...merged.values()];
}

/** The items of a conversation: prompts, answers, calls, files that were read, and results of other tools. */
export function conversationItems(messages: readonly Message[]): ContextItem[] {
  const items: ContextItem[] = [];
  const add = (source: ContextSource, name: string, characters: number, images: readonly unknown[] = []) =>
    items.push({ source, name, tokens: estimateTokens(characters) + images.length * IMAGE_TOKENS });
  const files = new Map<string, string>();
  for (const message of messages) {
    switch (message.role) {
      case "user":
        add("messages", message.replies === undefined ? "prompts" : "summary", message.text.length, message.images);
        break;
      case "assistant":
        add("messages", "answers", message.text.length);
        add("messages", "reasoning", message.reasoning?.reasoning.length ?? 0);
        for (const { id, tool, input } of message.calls) {
          add("messages", "calls", tool.length + JSON.stringify(input).length);
          const file = READS.has(tool) ? pathIn(input) : undefined;
          if (file !== undefined) files.set(id, file);
        }
        break;
      case "tool":
        for (const { id, tool, text, images } of message.results) {
          const file = files.get(id);
          if (file === undefined) add("results", tool, text.length, images);
          else add("files", file, text.length, images);
        }
        break;
    }
  }
  return mergeItems(items);
}

/** The tools whose results are the content of one file. */
const READS: ReadonlySet<string> = new Set(["read_file"]);

const pathIn = (input: unknown): string | undefined =>
  typeof input === "object" && input !== null && "path" in input && typeof input.path === "string" ? input.path : undefined;

/** The sum of each source that has items, in the order of a request. */
export function sumBySource(items: readonly ContextItem[]): { source: ContextSource; tokens: number }[] {
  return CONTEXT_SOURCES.flatMap((source) => {
    const tokens = items.filter((item) => item.source === source).reduce((sum, item) => sum + item.tokens, 0);
    return tokens === 0 ? [] : [{ source, tokens }];
  });
}

const CONTEXT_SOURCES: readonly ContextSource[] = ["prompt", "instructions", "skills", "tools", "mcp", "messages", "files", "results"];

/** The names of the sources for users. */
export const contextSourceTitles: Readonly<Record<ContextSource, string>> = {
  prompt: "System prompt",
  instructions: "Instructions",
  skills: "Skills",
  tools: "Built-in tools",
  mcp: "MCP tools",
  messages: "Messages",
  files: "Files read",
  results: "Other tool results",
};
