import type { SessionEvent } from "@baton/core/protocol/event";
import type { ToolResult, ToolCall } from "@baton/core/protocol/tool-call";
import { sanitize } from "@baton/core/text/sanitize";
import { canonicalToolName } from "@baton/core/tool/tool-table";
import { fileWords, uniqueWords } from "./words.ts";

/** The kinds of text that a search finds. */
export type SearchKind = "prompt" | "answer" | "command" | "output" | "file" | "title";

/** A text of an event that a search finds. */
export type SearchableText = { kind: SearchKind; text: string };

/** Characters of a prompt or an answer that the index reads, and of a command's output: half from its beginning, half from its end. */
const MAX_TEXT = 16_000;
const MAX_OUTPUT = 4_000;

/**
 * The texts of an event that a search finds: prompts, answers, commands with their outputs, paths and titles. A change of this function or
 * of `words` needs a new version of the index.
 */
export function searchableTexts(event: SessionEvent): SearchableText[] {
  if (event.type === "prompt.received") return event.synthetic === undefined ? [prose("prompt", event.text)] : [];
  if (event.type === "prompt.edited") return [prose("prompt", event.text)];
  if (event.type === "model.replied") return [prose("answer", event.text), ...event.calls.flatMap(textsOfCall)].filter(hasText);
  if (event.type === "call.received") return textsOfCall(event.call);
  if (event.type === "tool.finished") return textsOfResult(event.result);
  if (event.type === "file.changed") return [{ kind: "file", text: event.path }];
  return event.type === "session.renamed" ? [{ kind: "title", text: event.title }] : [];
}

const prose = (kind: SearchKind, text: string): SearchableText => ({ kind, text: sanitize(text.slice(0, MAX_TEXT)) });

/** The output of a command, or the final answer of a turn. Results of other tools repeat files. */
function textsOfResult({ text, view, ends }: ToolResult): SearchableText[] {
  if (ends !== undefined) return [prose("answer", text)];
  return view?.type === "terminal" ? [{ kind: "output", text: sanitize(bothEnds(text)) }] : [];
}

/** The command of a call, or the paths that its arguments name. */
function textsOfCall({ tool, input }: ToolCall): SearchableText[] {
  if (typeof input !== "object" || input === null) return [];
  const strings = Object.entries(input).filter((entry): entry is [string, string] => typeof entry[1] === "string");
  if (canonicalToolName(tool) === "run_command")
    return strings
      .filter(([name]) => name === "command")
      .map(([, text]) => ({ kind: "command", text: sanitize(text.slice(0, MAX_OUTPUT)) }));
  return strings.filter(([name]) => PATH_ARGUMENTS.has(name)).map(([, text]) => ({ kind: "file", text: text.slice(0, MAX_PATH) }));
}

/** The arguments of Baton's tools, and of common tools of servers, that name a file. */
const PATH_ARGUMENTS: ReadonlySet<string> = new Set(["path", "file", "file_path", "from", "to", "source", "destination"]);
const MAX_PATH = 1_000;

const hasText = ({ text }: SearchableText): boolean => text !== "";

const bothEnds = (text: string): string =>
  text.length <= MAX_OUTPUT ? text : `${text.slice(0, MAX_OUTPUT / 2)}\n…\n${text.slice(-MAX_OUTPUT / 2)}`;

/** The words of an event for the index, each once. Empty if a search does not find the event. */
export function indexedWords(event: SessionEvent): string {
  const found = new Set<string>();
  for (const { kind, text } of searchableTexts(event)) {
    for (const word of uniqueWords(text)) found.add(word);
    if (kind === "file") for (const word of fileWords(text)) found.add(word);
  }
  return [...found].join(" ");
}
