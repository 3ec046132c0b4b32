import { backgroundStatusText, type BackgroundCommand } from "@baton/core/session/background-command";
import { formatAge, formatDuration } from "@baton/core/text/format";
import { oneLine } from "@baton/core/text/sanitize";
import { contentWidth, fitToWidth, truncate, type TerminalStyle } from "../layout.ts";

/** Background commands below their sessions. If some have a terminal, a column marks them. */
export function backgroundLines(rows: readonly BackgroundCommand[], style: TerminalStyle): string[] {
  if (rows.length === 0) return ["No background commands."];
  const sessions = [...new Set(rows.map(({ sessionId }) => sessionId))];
  const hasTerminals = rows.some(({ terminal }) => terminal);
  const open = rows.find(({ terminal, status }) => terminal && status === "running");
  return [
    ...sessions.flatMap((session) => [
      style.ansi.bold(session),
      ...rows.filter(({ sessionId }) => sessionId === session).map((row) => backgroundLine(row, hasTerminals, style)),
    ]),
    ...(open ? ["", `\`baton background attach ${open.sessionId} ${open.id}\` opens a terminal.`] : []),
  ];
}

function backgroundLine(row: BackgroundCommand, hasTerminals: boolean, style: TerminalStyle): string {
  const { ansi } = style;
  const status = fitToWidth(`${MARKS[row.status]} ${backgroundStatusText(row)}`, 19);
  const terminal = hasTerminals ? fitToWidth(row.terminal ? "terminal" : "", 9) : "";
  const line = `  ${status} ${fitToWidth(row.id, 7)} ${terminal}${fitToWidth(backgroundTimes(row, style.now), 30)} ${oneLine(row.command)}`;
  const cut = truncate(line, contentWidth(style));
  if (row.status === "unknown" || (row.status === "exited" && row.exitCode !== 0)) return cut.replace(status, ansi.failure(status));
  return row.status === "running" ? cut : ansi.dim(cut);
}

const MARKS: Record<BackgroundCommand["status"], string> = { running: "…", exited: "·", stopped: "·", unknown: "?" };

/** How long a command has run, or how long it ran and when it ended. */
export function backgroundTimes({ startedAt, endedAt, status }: BackgroundCommand, now: number): string {
  if (status === "running") return `for ${formatAge(now - startedAt)}`;
  if (status === "unknown" || endedAt === undefined) return `began ${formatAge(now - startedAt)} ago`;
  return `${formatDuration(endedAt - startedAt)}, ended ${formatAge(now - endedAt)} ago`;
}
