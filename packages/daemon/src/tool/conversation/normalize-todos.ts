import type { Todo } from "@baton/core/protocol/tool-call";

const STATES: Record<string, string> = {
  pending: "open",
  todo: "open",
  not_started: "open",
  in_progress: "doing",
  active: "doing",
  completed: "done",
  complete: "done",
};

/** Converts the forms in which models write a list of steps: other names, and markdown lists. */
export function normalizeTodos(input: unknown): unknown {
  if (typeof input === "string") return parseTodoText(input);
  return Array.isArray(input) ? input.map(todoOf) : input;
}

/** Parses a checklist: `[ ]` is open, `[-]` is in progress, `[x]` is done. */
export const parseTodoText = (text: string): Todo[] => text.split("\n").flatMap(todoOfLine);

function todoOf(input: unknown): unknown {
  if (typeof input === "string") return { text: input, state: "open" };
  if (typeof input !== "object" || input === null) return input;
  const fields: Record<string, unknown> = { ...input };
  const state = fields["state"] ?? fields["status"] ?? "open";
  return { text: fields["text"] ?? fields["content"] ?? fields["step"], state: (typeof state === "string" && STATES[state]) || state };
}

const MARKS: Record<string, Todo["state"]> = { " ": "open", "-": "doing", "~": "doing", x: "done", X: "done" };

function todoOfLine(line: string): Todo[] {
  const found = /^\s*(?:[-*]\s+)?\[([ xX~-])\]\s*(.+)$/.exec(line);
  if (found) return [{ text: (found[2] ?? "").trim(), state: MARKS[found[1] ?? " "] ?? "open" }];
  const text = line.replace(/^\s*(?:[-*]|\d+[.)])\s+/, "").trim();
  return text === "" ? [] : [{ text, state: "open" }];
}
