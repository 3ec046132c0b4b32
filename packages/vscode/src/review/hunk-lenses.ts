import { formatCount } from "@baton/core/text/format";
import * as vscode from "vscode";
import { countChangedLines } from "./hunk-position.ts";
import type { OpenHunk, SessionReview } from "./session-review.ts";

/** Above each hunk: what the session changed there, and the choices. */
export function hunkLenses(review: SessionReview): vscode.Disposable {
  return vscode.languages.registerCodeLensProvider(
    { scheme: "file" },
    { onDidChangeCodeLenses: review.onChange, provideCodeLenses: (document) => review.hunksOf(document).flatMap(lensesOf) },
  );
}

function lensesOf({ place, key, change }: OpenHunk): vscode.CodeLens[] {
  const range = new vscode.Range(place.line, 0, place.line, 0);
  const lens = (title: string, command: string, tooltip: string) =>
    new vscode.CodeLens(range, { title, command: `baton.hunk.${command}`, tooltip, arguments: [key] });
  const { added, removed } = countChangedLines(place);
  const counts = [...(added > 0 ? [`+${added}`] : []), ...(removed > 0 ? [`−${removed}`] : [])].join(" ");
  return [
    lens("$(check) Accept", "accept", "Keep this change and stop marking it"),
    // A file that the session created is rejected as a whole.
    change.before === null
      ? lens("$(discard) Reject the new file", "reject", "Delete the file that the session created")
      : lens("$(discard) Reject", "reject", `Restore ${formatCount(removed, "line")} from before this session`),
    lens(`$(diff) ${counts}`, "compare", "Show the change side by side"),
  ];
}
