import type { LoggedEvent } from "@baton/core/protocol/event";
import type { DiffView } from "@baton/core/protocol/tool-view";
import { currentFileChanges, type FileChange } from "@baton/core/session/undo";
import { deletionView, diffView } from "../../tool/files/diff/diff.ts";
import type { WorkspaceSnapshots } from "../session-dependencies.ts";

/**
 * A file that a session or one of its turns changed, with the hashes of its content before and after. `view` is undefined for a
 * file that is not text or no longer stored. `elsewhere`: the file was changed by others since then. `current`: the file still is
 * `after`, so that a hunk can be restored.
 */
type SessionChange = {
  path: string;
  before: string | null;
  after: string | null;
  elsewhere: boolean;
  current: boolean;
  view: DiffView | undefined;
};

type Contents = {
  snapshots: Pick<WorkspaceSnapshots, "keep" | "now" | "isFolder">;
  readBlob: (hash: string) => Promise<Uint8Array | undefined>;
};

/** The files that a session changed and nobody undid, in the order of their first change. With a prompt, only those of its turn. */
export async function sessionChanges(
  { promptId }: { promptId?: string | undefined },
  log: readonly LoggedEvent[],
  workspace: string,
  contents: Contents,
): Promise<SessionChange[]> {
  const { from, to } = promptId === undefined ? WHOLE : turnOf(promptId, log);
  const all = currentFileChanges(log);
  const newest = new Map(all.map((change) => [change.path, change]));
  const byPath = Map.groupBy(
    all.filter(({ seq }) => seq > from && seq < to),
    ({ path }) => path,
  );
  const found: SessionChange[] = [];
  for (const [path, changes] of byPath) {
    const change = await fileChange(path, changes, workspace, contents);
    if (change) found.push({ ...change, elsewhere: changes.at(-1) === newest.get(path) && change.elsewhere });
  }
  return found;
}

const WHOLE = { from: 0, to: Number.POSITIVE_INFINITY };

/** The events of the turn that a prompt belongs to. */
function turnOf(promptId: string, log: readonly LoggedEvent[]): { from: number; to: number } {
  const at = log.findIndex((event) => event.type === "prompt.delivered" && event.promptIds.some((id) => id === promptId));
  if (at < 0) return { from: 0, to: 0 };
  const begin = log.slice(0, at).findLast(({ type }) => type === "turn.ended")?.seq ?? 0;
  return { from: begin, to: log.slice(at).find(({ type }) => type === "turn.ended")?.seq ?? Number.POSITIVE_INFINITY };
}

async function fileChange(
  path: string,
  changes: readonly FileChange[],
  workspace: string,
  { snapshots, readBlob }: Contents,
): Promise<SessionChange | undefined> {
  const [first, last] = [changes.at(0), changes.at(-1)];
  if (!first || !last || snapshots.isFolder(workspace, path)) return undefined;
  const now = await snapshots.now(workspace, path);
  const known = typeof last.after === "string" && (await readBlob(last.after)) ? last.after : undefined;
  const after = known ?? (last.after === null ? null : ((await snapshots.keep(workspace, path)) ?? null));
  if (first.before === after) return undefined;
  const [before, content] = await Promise.all(
    [first.before, after].map(async (hash) => (hash === null ? null : textOfContent(await readBlob(hash)))),
  );
  return {
    path,
    before: first.before,
    after,
    elsewhere: last.after !== undefined && now !== last.after,
    current: now === after,
    view: viewOf(path, before, content),
  };
}

/** The text of a content. Undefined if it is not stored or not text. */
export function textOfContent(content: Uint8Array | undefined): string | undefined {
  if (!content || content.includes(0)) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(content);
  } catch {
    return undefined;
  }
}

function viewOf(path: string, before: string | null | undefined, after: string | null | undefined): DiffView | undefined {
  if (before === undefined || after === undefined) return undefined;
  if (after === null) return before === null ? undefined : deletionView(path, before);
  return diffView(path, before ?? undefined, after);
}
