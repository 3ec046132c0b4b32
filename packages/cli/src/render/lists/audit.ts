import { oneLine } from "@baton/core/text/sanitize";
import { fitToWidth, truncate, contentWidth, type TerminalStyle } from "../layout.ts";

/** A decision about a call, a question or a rule. */
export type AuditRow = {
  at: number;
  sessionId: string;
  workspace: string;
  seq: number;
  decision: "allowed" | "denied" | "granted" | "revoked";
  by: string;
  tool: string;
  what: string;
  why: string;
};

/** The names of the columns of the CSV. */
export const auditHeader = ["time", "session", "workspace", "seq", "decision", "by", "tool", "what", "why"] as const;

/** The values of a decision in the order of the columns. The time is in UTC. */
export const auditCells = ({ at, sessionId, workspace, seq, decision, by, tool, what, why }: AuditRow): string[] => [
  new Date(at).toISOString(),
  sessionId,
  workspace,
  String(seq),
  decision,
  by,
  tool,
  what,
  why,
];

/** One line of a CSV file (RFC 4180). A spreadsheet must not take a text of an agent for a formula, so such a text begins with an apostrophe. */
export const csvLine = (cells: readonly string[]): string =>
  cells
    .map((cell) => (/^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell))
    .map((cell) => (/[",\n\r]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell))
    .join(",");

/** One line of the table: time, session, decision, who, what and why. */
export function auditLine({ at, sessionId, decision, by, tool, what, why }: AuditRow, style: TerminalStyle): string {
  const { ansi } = style;
  const isStrict = decision === "denied" || decision === "revoked";
  const paint = isStrict ? ansi.failure : ansi.added;
  const start = `${localTime(at)}  ${fitToWidth(sessionId, 10)}  `;
  const facts = `  ${fitToWidth(by, 10)} `;
  const subject = oneLine([tool, what].filter((part) => part !== "").join(": "));
  const rest = contentWidth(style) - start.length - DECISION - facts.length;
  const text = truncate(`${subject}${why === "" ? "" : ` · ${oneLine(why)}`}`, Math.max(20, rest));
  return `${ansi.dim(start)}${paint(fitToWidth(decision, DECISION))}${facts}${text}`;
}

const DECISION = 7;

/** `2026-11-24 15:30` in this computer's time zone. */
function localTime(at: number): string {
  const time = new Date(at);
  const two = (n: number) => String(n).padStart(2, "0");
  return `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())} ${two(time.getHours())}:${two(time.getMinutes())}`;
}
