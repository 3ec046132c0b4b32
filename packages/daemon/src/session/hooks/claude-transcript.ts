import type { CallEntry, Entry } from "@baton/core/session/transcript/entry";

/** The number of characters of the file, and of one text in it. The newest lines count. */
const MAX_CHARACTERS = 4_000_000;
const MAX_TEXT = 50_000;

type Session = { id: string; workspace: string };
type Line = { id: string; at: number; type: "user" | "assistant"; message: Record<string, unknown> };

/** The conversation as JSON lines in the shape of Claude Code's transcripts: prompts, replies with their calls, and results. */
export function claudeTranscript(entries: readonly Entry[], { id, workspace }: Session): string {
  const lines = entries.flatMap(linesOf).map(({ id: uuid, at, type, message }, i, all) =>
    JSON.stringify({
      parentUuid: all[i - 1]?.id ?? null,
      isSidechain: false,
      userType: "external",
      cwd: workspace,
      sessionId: id,
      version: "baton",
      type,
      message,
      uuid,
      timestamp: new Date(at).toISOString(),
    }),
  );
  let size = 0;
  const first = lines.findLastIndex((line) => (size += line.length + 1) > MAX_CHARACTERS);
  return lines
    .slice(first + 1)
    .map((line) => `${line}\n`)
    .join("");
}

function linesOf(entry: Entry): Line[] {
  switch (entry.kind) {
    case "prompt":
      return [{ id: entry.id, at: entry.at, type: "user", message: { role: "user", content: cut(entry.text) } }];
    case "reply":
      if (entry.text === "") return [];
      return [
        {
          id: entry.id,
          at: entry.at,
          type: "assistant",
          message: {
            id: entry.id,
            type: "message",
            role: "assistant",
            model: entry.model,
            content: [{ type: "text", text: cut(entry.text) }],
          },
        },
      ];
    case "call":
      return callLines(entry);
    case "compaction":
      return entry.summary === undefined
        ? []
        : [{ id: entry.id, at: entry.at, type: "user", message: { role: "user", content: cut(entry.summary) } }];
    case "transition":
    case "end":
      return [];
  }
}

function callLines({ id, tool, input, at, endedAt, result }: CallEntry): Line[] {
  const use = { type: "tool_use", id, name: tool, input: input ?? {} };
  const called: Line = { id, at, type: "assistant", message: { type: "message", role: "assistant", content: [use] } };
  if (!result) return [called];
  const content = { type: "tool_result", tool_use_id: id, content: cut(result.text), is_error: result.outcome !== "ok" };
  return [called, { id: `${id}-result`, at: endedAt ?? at, type: "user", message: { role: "user", content: [content] } }];
}

const cut = (text: string): string => (text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT).toWellFormed()}…` : text);
