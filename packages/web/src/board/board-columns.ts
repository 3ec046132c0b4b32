import type { SessionRow } from "@baton/core/session/session-list";
import { placeOf, sourceFolder, type Place } from "../store/data/place-folders.ts";
import { changedAt, sessionTrees, type SessionTree } from "../components/sidebar/session-trees.ts";

type ColumnName = "waiting" | "working" | "done" | "failed" | "archived";

export type Column = { name: ColumnName; title: string; trees: readonly SessionTree[] };

/** `folder` is a source folder and `place` the id of a place. Empty values match everything. */
export type BoardFilter = { folder: string; place: string; text: string };

const TITLES: readonly [ColumnName, string][] = [
  ["waiting", "Needs you"],
  ["working", "Working"],
  ["done", "Done"],
  ["failed", "Failed"],
  ["archived", "Archived"],
];

/** The files that each session changed, by its id. */
type FilesBySession = ReadonlyMap<string, readonly { file: string }[]>;

/** The sessions of the user by state. Subtasks count for the session that started them. `rows` may contain archived sessions. */
export function boardColumns(
  rows: readonly SessionRow[],
  places: readonly Place[],
  filter: BoardFilter,
  files: FilesBySession = new Map(),
): Column[] {
  const shown = sessionTrees(rows.filter(matches(places, filter, files)), () => "").flatMap(({ trees }) => trees);
  const byColumn = Map.groupBy(shown, columnOf);
  return TITLES.map(([name, title]) => ({ name, title, trees: sorted(name, byColumn.get(name) ?? []) }));
}

function matches(places: readonly Place[], { folder, place, text }: BoardFilter, files: FilesBySession): (row: SessionRow) => boolean {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const pathsOf = (id: string): string => (files.get(id) ?? []).map(({ file }) => file).join(" ");
  return ({ id, workspace, title, model, mode }) => {
    const own = placeOf(places, workspace);
    if (folder !== "" && sourceFolder(places, workspace) !== folder) return false;
    if (place !== "" && own?.id !== place) return false;
    const searched =
      `${title} ${workspace} ${model ?? ""} ${mode} ${own?.name ?? ""} ${own?.branch ?? ""} ${words.length > 0 ? pathsOf(id) : ""}`.toLowerCase();
    return words.every((word) => searched.includes(word));
  };
}

function columnOf(tree: SessionTree): ColumnName {
  const { row, waits } = tree;
  if (row.archived) return "archived";
  if (waits) return "waiting";
  if (isWorking(tree)) return "working";
  return row.status === "failed" || row.status === "unknown" ? "failed" : "done";
}

const isWorking = ({ row, children }: SessionTree): boolean => row.status === "working" || children.some(isWorking);

/** Sessions that wait longest come first, those at work keep their order, and of the others the newest come first. */
function sorted(name: ColumnName, trees: readonly SessionTree[]): SessionTree[] {
  switch (name) {
    case "waiting":
      return trees.toSorted((a, b) => changedAt(a) - changedAt(b));
    case "working":
      return trees.toSorted((a, b) => b.row.createdAt - a.row.createdAt);
    case "done":
    case "failed":
    case "archived":
      return trees.toSorted((a, b) => changedAt(b) - changedAt(a));
  }
}
