import { oneLine } from "@baton/core/text/sanitize";
import { fitToWidth, truncate, contentWidth, displayWidth, type TerminalStyle } from "../layout.ts";
import { formatMoney, planText, shortenHome } from "@baton/core/text/format";

/** A session in a list. */
export type SessionListRow = {
  id: string;
  parentId: string | null;
  workspace: string;
  title: string;
  task: { priority: string; estimatedMinutes?: number | undefined } | null;
  mode: string;
  status: "idle" | "working" | "waiting" | "failed" | "unknown";
  steps: number;
  cost: number;
};

/**
 * Sessions by workspace, each below its parent, at most `most`. Those that need the user come first. A parent shows the diamond if a subtask
 * waits. `places`: by workspace.
 */
export function sessionLines(
  all: readonly SessionListRow[],
  style: TerminalStyle,
  most = Infinity,
  places: ReadonlyMap<string, { name: string; source: string }> = new Map(),
): string[] {
  const rows = all.slice(0, most);
  if (rows.length === 0) return ["No sessions yet. `baton` starts one here."];
  const first = (waiting: boolean): number => (waiting ? 0 : 1);
  const sorted = rows.toSorted((a, b) => first(waits(a, rows)) - first(waits(b, rows)));
  const workspaces = [...new Set(sorted.map(({ workspace }) => workspace))];
  const known = new Set(rows.map(({ id }) => id));
  const lines = workspaces.flatMap((workspace) => [
    style.ansi.bold(folderTitle(workspace, places.get(workspace), style)),
    ...sorted
      .filter((row) => row.workspace === workspace && (row.parentId === null || !known.has(row.parentId)))
      .flatMap((row) => treeLines(row, sorted, style, "", "")),
  ]);
  const more = `Only the ${rows.length} newest sessions are shown. \`baton sessions --json\` lists more.`;
  return [...lines, ...legendLines(rows, style), ...(all.length > rows.length ? [style.ansi.dim(more)] : [])];
}

/** A folder, or a place with the folder that it belongs to. */
const folderTitle = (workspace: string, place: { name: string; source: string } | undefined, { home }: TerminalStyle): string =>
  place ? `${shortenHome(place.source, home)} · place ${place.name}` : shortenHome(workspace, home);

function treeLines(row: SessionListRow, rows: readonly SessionListRow[], style: TerminalStyle, branch: string, indent: string): string[] {
  const children = rows.filter(({ parentId }) => parentId === row.id);
  return [
    ...rowLines(row, rows, style, branch),
    ...children.flatMap((child, i) => {
      const last = i === children.length - 1;
      return treeLines(child, rows, style, `${indent}${last ? "└" : "├"} `, `${indent}${last ? " " : "│"} `);
    }),
  ];
}

/** Ids of subtasks contain their parents' ids; deep ones exceed this width. */
const MAX_ID = 16;

const MARKS: Record<SessionListRow["status"], string> = { waiting: "◆", working: "…", failed: "✗", unknown: "?", idle: "·" };

function rowLines(row: SessionListRow, rows: readonly SessionListRow[], style: TerminalStyle, branch: string): string[] {
  const { ansi } = style;
  const status = waits(row, rows) ? "waiting" : row.status;
  const paint = { waiting: ansi.attention, failed: ansi.failure, idle: ansi.dim, working: ansi.bold, unknown: ansi.bold }[status];
  const plan = planText(row.task);
  const title = `${oneLine(row.title) || "(no prompt yet)"}${plan === "" ? "" : ` (${plan})`}`;
  const soft = status === "idle" || status === "failed" ? paint : (text: string) => text;
  const start = `  ${ansi.dim(branch)}${paint(MARKS[status])} `;
  const steps = `${row.steps} step${row.steps === 1 ? " " : "s"}`;
  const room = contentWidth(style);
  const ids = Math.min(MAX_ID, Math.max(...rows.map(({ id }) => id.length)));
  const end = `${steps.padStart(10)}${formatMoney(row.cost).padStart(9)}  ${row.id.padEnd(ids)}`;
  const left = room - displayWidth(start) - displayWidth(end) - 14;
  if (left < 16)
    return [
      `${start}${soft(truncate(title, room - displayWidth(start)))}`,
      `      ${ansi.mode(row.mode)} ${ansi.dim(`· ${steps.trim()} · ${formatMoney(row.cost)} · ${row.id}`)}`,
    ];
  return [
    `${start}${soft(fitToWidth(title, left))}${fitToWidth("", 1)}${ansi.mode(row.mode)}${" ".repeat(Math.max(1, 13 - displayWidth(ansi.mode(row.mode))))}${ansi.dim(end.trimEnd())}`,
  ];
}

const waits = (row: SessionListRow, rows: readonly SessionListRow[]): boolean =>
  row.status === "waiting" || rows.some((child) => child.parentId === row.id && waits(child, rows));

const LEGEND: Record<SessionListRow["status"], string> = {
  waiting: "◆ needs you",
  working: "… working",
  failed: "✗ failed",
  unknown: "? outcome unknown",
  idle: "· idle",
};

function legendLines(rows: readonly SessionListRow[], style: TerminalStyle): string[] {
  const statuses = (["waiting", "working", "failed", "unknown", "idle"] as const).filter((status) =>
    rows.some((row) => row.status === status),
  );
  return [style.ansi.dim(truncate(statuses.map((status) => LEGEND[status]).join("  "), contentWidth(style)))];
}
