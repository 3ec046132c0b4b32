import { compactionReason } from "@baton/core/session/context/context-budget";
import { truncate, contentWidth, graphemes, displayWidth, type TerminalStyle } from "../../render/layout.ts";
import { statusLine } from "../../render/status-line.ts";
import type { SessionView } from "@baton/core/client/session-view";
import type { DaemonConnection } from "../../connection/daemon-connection.ts";
import { bufferRows } from "../input/input-buffer.ts";
import type { PromptLine } from "../input/prompt-line.ts";
import type { LiveLines } from "./screen.ts";
import { keyDelay } from "../request-focus.ts";
import type { RequestFocus } from "../request-focus.ts";

/** The state of the client that the footer shows. */
type FooterState = {
  readonly link: DaemonConnection;
  readonly line: Pick<PromptLine, "input" | "text" | "field" | "suggestions" | "vim" | "selection">;
  readonly requests: Pick<RequestFocus, "open" | "focus" | "focused">;
  readonly statusCommand: { readonly line: string | undefined } | undefined;
  readonly hint: string | undefined;
  readonly here: { readonly environment: readonly string[] };
  readonly commandQueue: { mode: () => string; model: () => string | undefined; acceptsEdits: () => boolean };
  view: () => SessionView | undefined;
  readonly picker: { lines: (style: TerminalStyle, most: number) => string[] } | undefined;
};

/** The lines that are redrawn: running calls, suggestions, the status line and the prompt. */
export function bottomPaneLines(client: FooterState, live: readonly string[], style: TerminalStyle, screenRows: number): LiveLines {
  const state = statusLine(footerStatus(client), style);
  const { rows, row, column } = bufferRows(client.line.input, contentWidth(style) - 2);
  const shown = client.line.selection ? highlightSelection(rows, client.line, contentWidth(style) - 2, style) : rows;
  const input = shown.map((text, i) => (i === 0 ? `${style.ansi.bold("›")} ${text}` : `  ${text}`));
  const linesAbove = [
    ...live,
    ...(live.length > 0 ? [""] : []),
    ...suggestionLines(client.line, style, screenRows),
    ...pickerLines(client, style, screenRows),
  ];
  const lines = ["", ...linesAbove, state, ...input];
  return { lines, row: lines.length - input.length + row, column: column + 2, ...cursorShape(client.line) };
}

function footerStatus(client: FooterState) {
  const view = client.view();
  const open = client.requests.open();
  const focused = client.requests.focused();
  const { turn, step, usage, contextTokens } = view?.state ?? {};
  return {
    mode: client.commandQueue.mode(),
    custom: client.statusCommand?.line,
    vim: vimText(client.line.vim),
    model: client.commandQueue.model(),
    environment: client.here.environment,
    acceptsEdits: client.commandQueue.acceptsEdits(),
    tokens: contextTokens ?? 0,
    cost: usage?.cost ?? 0,
    unpriced: usage?.unpriced,
    estimated: usage?.estimated,
    open: open.length,
    background: view?.state.processes.length,
    held: (view?.state.held ?? false) && (view?.state.queue.length ?? 0) > 0,
    hasDraft: client.line.text !== "",
    typing: client.line.field,
    hint: client.hint,
    lost: lostText(client),
    summing: view !== undefined && step?.phase !== "running" && compactionReason(view.state) !== undefined,
    ...(turn && step?.phase === "due" ? { retryAt: step.retryAt } : {}),
    ...(turn ? { work: { step: step?.n ?? 1, since: turn.startedAt } } : {}),
    ...(focused
      ? {
          request: {
            request: focused.request,
            nth: open.findIndex(({ request }) => request.id === focused.request.id) + 1,
            of: open.length,
            ready: client.requests.focus !== undefined && keyDelay(client.requests.focus, performance.now()) === 0,
          },
        }
      : {}),
  };
}

/** The mode of vi with the keys of an unfinished command. Nothing in insert mode. */
function vimText(vim: FooterState["line"]["vim"]): string | undefined {
  if (!vim || vim.mode === "insert") return undefined;
  const mode = { normal: "NORMAL", visual: "VISUAL", visualLine: "VISUAL LINE" }[vim.mode];
  return `${mode} ${vim.pending}`.trim();
}

/** A bar where typing inserts, and a block where it does not. Without vi the shape stays as the terminal has it. */
const cursorShape = ({ vim }: FooterState["line"]): Pick<LiveLines, "shape"> =>
  vim ? { shape: vim.mode === "insert" ? "bar" : "block" } : {};

/** The rows of the prompt with the selection marked. */
function highlightSelection(
  rows: readonly string[],
  { input, selection }: FooterState["line"],
  columns: number,
  { ansi }: TerminalStyle,
): string[] {
  if (!selection) return [...rows];
  const positionOf = (cursor: number) => bufferRows({ text: input.text, cursor }, columns);
  const [first, end] = [positionOf(selection.from), positionOf(selection.to)];
  return rows.map((text, row) => {
    if (row < first.row || row > end.row) return text;
    const from = row === first.row ? first.column : 0;
    const to = row === end.row ? end.column : Infinity;
    const [before, selected, after] = splitColumns(text, from, to);
    return `${before}${ansi.selected(selected)}${after}`;
  });
}

/** A text in three parts: before a column, between two columns, and behind. */
function splitColumns(text: string, from: number, to: number): [string, string, string] {
  const parts: [string, string, string] = ["", "", ""];
  let column = 0;
  for (const { segment } of graphemes.segment(text)) {
    parts[column < from ? 0 : column < to ? 1 : 2] += segment;
    column += displayWidth(segment);
  }
  return parts;
}

function lostText(client: FooterState): string | undefined {
  switch (client.link.state()) {
    case "connected":
      return undefined;
    case "lost":
      return "reconnecting; your text is kept";
    case "stopped":
      return "the daemon was stopped; your next prompt starts it";
  }
}

/** Rows around a picker: its title and filter, the status line, the prompt, and what led to it. */
const AROUND_PICKER = 8;

const pickerLines = ({ picker }: FooterState, style: TerminalStyle, screenRows: number): string[] =>
  picker ? [...picker.lines(style, Math.max(3, screenRows - AROUND_PICKER)), ""] : [];

const MAX_SUGGESTIONS = 8;

/** The suggestions around the chosen one, with their number. */
function suggestionLines({ suggestions }: FooterState["line"], style: TerminalStyle, screenRows: number): string[] {
  if (!suggestions) return [];
  const { ansi } = style;
  const { items, chosen } = suggestions;
  const most = Math.max(3, Math.min(MAX_SUGGESTIONS, Math.floor(screenRows / 3)));
  const from = Math.max(0, Math.min(chosen - Math.floor(most / 2), items.length - most));
  const visible = items.slice(from, from + most);
  const longest = Math.max(...visible.map(({ text }) => text.length));
  const lines = visible.map(({ text, about }, i) => {
    const line = truncate(`${text.padEnd(Math.min(longest, 30))}  ${about}`.trimEnd(), contentWidth(style) - 4);
    return from + i === chosen ? `  ${ansi.bold(`› ${line}`)}` : `    ${ansi.dim(line)}`;
  });
  return items.length <= most ? lines : [...lines, `    ${ansi.dim(`${chosen + 1} of ${items.length}, Up and Down`)}`];
}
