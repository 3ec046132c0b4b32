import type { DiffView } from "@baton/core/protocol/tool-view";
import { deletionView, diffView } from "../tool/files/diff/diff.ts";
import type { PlaceFileChange } from "./git/changed-files.ts";

/** A changed file with its lines. `view` is undefined for a file that is not text. */
type PlaceChange = { path: string; kind: PlaceFileChange["kind"]; change: "create" | "change" | "delete"; view: DiffView | undefined };

export const changeViews = (files: readonly PlaceFileChange[]): PlaceChange[] =>
  files.map(({ path, before, after, kind }) => ({
    path,
    kind,
    change: before === null ? "create" : after === null ? "delete" : "change",
    view: viewOf(path, before, after),
  }));

function viewOf(path: string, before: Buffer | null, after: Buffer | null): DiffView | undefined {
  const [old, fresh] = [textOf(before), textOf(after)];
  if (old === undefined || fresh === undefined) return undefined;
  if (fresh === null) return old === null ? undefined : deletionView(path, old);
  return diffView(path, old ?? undefined, fresh);
}

function textOf(content: Buffer | null): string | null | undefined {
  if (content === null) return null;
  return content.includes(0) ? undefined : content.toString("utf8");
}
