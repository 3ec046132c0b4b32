import type { DiffView } from "@baton/core/protocol/tool-view";
import { oneLine } from "@baton/core/text/sanitize";
import { diffCounts, diffLines } from "./diff.ts";
import type { TerminalStyle } from "./layout.ts";

/** A file that a session changed. `before` and `after` are hashes, null if there was no file. `view` is missing for a file that is not text. */
type FileChange = { path: string; before: string | null; after: string | null; elsewhere: boolean; view?: DiffView | undefined };

/** Each file with all of its changed lines. */
export function changeLines(changes: readonly FileChange[], style: TerminalStyle): string[] {
  const { ansi } = style;
  return changes.flatMap((change) => {
    const { path, view, elsewhere } = change;
    const facts = [
      kindOf(change),
      ...(view ? [diffCounts(view, style)] : ["not text"]),
      ...(elsewhere ? [ansi.attention("changed by somebody else since")] : []),
    ];
    const head = `${ansi.bold(oneLine(path))}  ${facts.filter((fact) => fact !== "").join(" · ")}`;
    return [head, ...(view ? diffLines(view, style, { indent: 2 }) : []), ""];
  });
}

function kindOf({ before, after }: FileChange): string {
  if (before === null) return "new file";
  return after === null ? "deleted" : "";
}
