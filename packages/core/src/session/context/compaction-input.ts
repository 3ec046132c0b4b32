import type { Todo } from "../../protocol/tool-call.ts";
import type { CallEntry, Entry, PromptEntry } from "../transcript/entry.ts";

/**
 * The conversation as input for its summary, with at most this many characters. A longer one loses its middle. Results of calls
 * are cut.
 */
export function compactionInput(entries: readonly Entry[], maxLength: number): string {
  const lines = entries.map(entryLine).filter((line) => line !== "");
  const whole = lines.join("\n\n");
  if (whole.length <= maxLength) return whole;
  const head = Math.floor(maxLength / 5);
  return `${whole.slice(0, head)}\n\n[... ${whole.length - maxLength} characters left out ...]\n\n${whole.slice(head - maxLength)}`;
}

function entryLine(entry: Entry): string {
  switch (entry.kind) {
    case "prompt":
      return `${entry.synthetic === undefined ? "PERSON" : "BATON"}: ${entry.text}`;
    case "reply":
      return entry.text.trim() === "" ? "" : `AGENT: ${entry.text.trim()}`;
    case "call":
      return `CALL ${entry.tool} ${short(JSON.stringify(entry.input ?? entry.raw ?? ""), 600)}\n${entry.result?.outcome ?? "no result"}: ${short(entry.result?.text ?? "", 800)}`;
    case "transition":
      return `MODE: ${entry.from} -> ${entry.to}`;
    case "compaction":
      return entry.summary === undefined ? "" : `SUMMARY OF WHAT WAS BEFORE:\n${entry.summary}`;
    case "end":
      return "";
  }
}

/** The facts that survive every summary: what the user wants, what is left to do, and which files were changed. */
export function factsToKeep(entries: readonly Entry[], todos: readonly Todo[]): string {
  const prompts = entries.filter((entry) => entry.kind === "prompt").filter(({ synthetic }) => synthetic === undefined);
  const open = todos.filter(({ state }) => state !== "done");
  const changed = [...new Set(entries.flatMap((entry) => (entry.kind === "call" ? changedBy(entry) : [])))];
  return [
    section("Newest prompt of the user, word for word", [short(prompts.at(-1)?.text ?? "", 4_000)]),
    section("Earlier prompts", prompts.slice(0, -1).slice(-MAX_PROMPTS).map(firstLine)),
    section(
      "Open todos",
      open.map(({ text, state }) => `- [${state === "doing" ? "-" : " "}] ${text}`),
    ),
    section(
      "Changed files",
      changed.slice(-MAX_FILES).map((file) => `- ${file}`),
    ),
  ]
    .filter((text) => text !== "")
    .join("\n\n");
}

const MAX_PROMPTS = 20;
const MAX_FILES = 100;

const changedBy = ({ result }: CallEntry): string[] => (result?.outcome === "ok" && result.view?.type === "diff" ? [result.view.path] : []);

const firstLine = ({ text }: PromptEntry): string => `- ${short(text.trim().split("\n", 1)[0] ?? "", 200)}`;

const section = (title: string, lines: readonly string[]): string =>
  lines.every((line) => line === "") ? "" : `## ${title}\n${lines.join("\n")}`;

const short = (text: string, maxLength: number): string =>
  text.length <= maxLength ? text : `${text.slice(0, Math.floor(maxLength * 0.7))} [...] ${text.slice(-Math.floor(maxLength * 0.3))}`;
