import { compactionReason } from "@baton/core/session/context/context-budget";
import { truncate, contentWidth, type TerminalStyle } from "../../render/layout.ts";
import { statusLine } from "../../render/screens/status-line.ts";
import type { SessionView } from "@baton/core/client/session-view";
import type { DaemonConnection } from "../../connection/daemon-connection.ts";
import { bufferRows } from "../input/input-buffer.ts";
import type { PromptLine } from "../input/prompt-line.ts";
import type { LiveLines } from "./screen.ts";
import { keyDelay } from "../request-focus.ts";
import type { RequestPanel } from "../request-panel.ts";

/** The state of the client that the footer shows. */
export type FooterState = {
  readonly link: DaemonConnection;
  readonly line: Pick<PromptLine, "input" | "text" | "field" | "suggestions">;
  readonly requests: Pick<RequestPanel, "open" | "focus" | "focused">;
  readonly hint: string | undefined;
  readonly outbox: { mode: () => string; model: () => string | undefined; acceptsEdits: () => boolean };
  view: () => SessionView | undefined;
  readonly picker: { lines: (style: TerminalStyle, most: number) => string[] } | undefined;
};

/** The lines that are redrawn: running calls, suggestions, the status line and the prompt. */
export function footerLines(client: FooterState, live: readonly string[], style: TerminalStyle, screenRows: number): LiveLines {
  const state = statusLine(footerStatus(client), style);
  const { rows, row, column } = bufferRows(client.line.input, contentWidth(style) - 2);
  const input = rows.map((text, i) => (i === 0 ? `${style.ansi.bold("›")} ${text}` : `  ${text}`));
  const linesAbove = [
    ...live,
    ...(live.length > 0 ? [""] : []),
    ...suggestionLines(client.line, style, screenRows),
    ...pickerLines(client, style, screenRows),
  ];
  const lines = ["", ...linesAbove, state, ...input];
  return { lines, row: lines.length - input.length + row, column: column + 2 };
}

function footerStatus(client: FooterState) {
  const view = client.view();
  const open = client.requests.open();
  const focused = client.requests.focused();
  const { turn, step, usage, contextTokens } = view?.state ?? {};
  return {
    mode: client.outbox.mode(),
    model: client.outbox.model(),
    acceptsEdits: client.outbox.acceptsEdits(),
    tokens: contextTokens ?? 0,
    cost: usage?.cost ?? 0,
    unpriced: usage?.unpriced,
    estimated: usage?.estimated,
    open: open.length,
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
