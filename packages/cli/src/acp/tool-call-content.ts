import path from "node:path";
import type { ToolCallContent, ToolCallLocation } from "@agentclientprotocol/sdk";
import type { ToolResult } from "@baton/core/protocol/tool-call";
import type { Hunk, TerminalView, View } from "@baton/core/protocol/tool-view";
import { lineEndsText } from "@baton/core/text/format";

/**
 * Converts a view to the content of a tool call. Its paths are relative to `workspace`; the protocol wants absolute ones.
 */
export function toContent(view: View | undefined, text: string, workspace: string): ToolCallContent[] {
  switch (view?.type) {
    case "diff":
      return [
        ...(view.lineEnds ? [textContent(lineEndsText(view.lineEnds))] : []),
        ...view.hunks.map((hunk): ToolCallContent => ({
          type: "diff",
          path: path.resolve(workspace, view.path),
          ...(view.change === "create" ? {} : { oldText: hunkSide(hunk, "-") }),
          newText: hunkSide(hunk, "+"),
        })),
      ];
    case "terminal":
      return [terminalContent(view)];
    case "command":
      return [textContent(fenced(view.command))];
    case "text":
      return [textContent(view.text)];
    case "link":
      return [textContent(`${view.label}\n${view.url}`)];
    case "files":
    case "list":
    case undefined:
      return text === "" ? [] : [textContent(text)];
  }
}

/** The view of a result, or the text for the model if the result has no view. */
export const resultContent = ({ view, text, outcome }: ToolResult, workspace: string): ToolCallContent[] =>
  toContent(outcome === "ok" ? view : undefined, text, workspace);

export const textContent = (text: string): ToolCallContent => ({ type: "content", content: { type: "text", text } });

/** Puts text into a fence that is longer than any fence in the text. */
export function fenced(text: string): string {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`+/g), ([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}

/** The file of a call, if its input names one. Lines count from 1. */
export function callLocations(input: unknown, workspace: string): ToolCallLocation[] {
  if (typeof input !== "object" || input === null || !("path" in input) || typeof input.path !== "string") return [];
  const line = "start_line" in input && typeof input.start_line === "number" ? { line: input.start_line } : {};
  return [{ path: path.resolve(workspace, input.path), ...line }];
}

/** The line of each hunk, in the order of the content. The hunks themselves carry no line numbers. */
export const changedLines = (view: View | undefined, workspace: string): { locations?: ToolCallLocation[] } =>
  view?.type === "diff"
    ? { locations: view.hunks.map(({ newStart }) => ({ path: path.resolve(workspace, view.path), line: Math.max(1, newStart) })) }
    : {};

function terminalContent({ head, tail, omittedLines, exitCode }: TerminalView): ToolCallContent {
  const omitted = omittedLines > 0 ? [`… ${omittedLines} lines …`] : [];
  const code = exitCode === null || exitCode === 0 ? [] : [`exit code ${exitCode}`];
  const text = [head.trimEnd(), ...omitted, tail.trimEnd(), ...code].filter((part) => part !== "").join("\n");
  return textContent(text === "" ? "no output" : fenced(text));
}

/** One side of a hunk: its context lines and the removed ("-") or added ("+") lines. */
const hunkSide = ({ lines }: Hunk, side: "-" | "+"): string =>
  lines
    .filter((line) => line.startsWith(" ") || line.startsWith(side))
    .map((line) => `${line.slice(1)}\n`)
    .join("");
