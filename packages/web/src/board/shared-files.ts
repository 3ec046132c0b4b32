import { oneLine } from "@baton/core/text/sanitize";
import { formatCount } from "@baton/core/text/format";
import type { EditedFile } from "../store/data/edited-files.ts";
import { baseName } from "../components/text/strings.ts";

/** Says which files of a session other sessions changed too, and which sessions. Empty if there are none. */
export function sharedFilesText(id: string, files: readonly EditedFile[]): string {
  const shared = files.filter(({ sessions }) => sessions.some((each) => each.id !== id));
  const [first] = shared;
  if (!first) return "";
  const others = new Map(shared.flatMap(({ sessions }) => sessions.map((each) => [each.id as string, each.title])));
  others.delete(id);
  const names = [...others.values()].map((title) => oneLine(title) || "(no prompt yet)").join(", ");
  return `${shared.length === 1 ? oneLine(baseName(first.file)) : formatCount(shared.length, "file")} also changed by ${names}`;
}
