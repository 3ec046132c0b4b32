import type { ClientCommand } from "@baton/core/protocol/command";
import type { LoggedEvent, SessionEvent } from "@baton/core/protocol/event";
import { refuse, type Refusal } from "@baton/core/protocol/refusal";
import type { Actor } from "@baton/core/protocol/request";
import { currentFileChanges } from "@baton/core/session/undo";
import type { SessionState } from "@baton/core/session/state";
import { diffView } from "../../tool/files/diff/diff.ts";
import type { SessionDependencies } from "../session-dependencies.ts";
import { textOfContent } from "./session-changes.ts";
import { revertHunk } from "./revert-hunk.ts";

type Wanted = Omit<Extract<ClientCommand, { type: "restoreHunk" }>, "type"> & { by: Actor };

/** The events that take back one hunk, or why that is impossible. A file that changed since then is never overwritten. */
export async function restoreHunk(
  { path, before, after, oldStart, newStart, by }: Wanted,
  log: readonly LoggedEvent[],
  { workspace }: Pick<SessionState, "workspace">,
  { snapshots }: Pick<SessionDependencies, "snapshots">,
): Promise<{ events: SessionEvent[] } | { refused: Refusal }> {
  const changes = currentFileChanges(log).filter((change) => change.path === path);
  const isKnown = changes.some((change) => change.before === before);
  const [old, current] = await Promise.all([before, after].map(async (hash) => textOfContent(await snapshots.read(hash))));
  if (!isKnown || old === undefined || current === undefined)
    return refuse("nothing_to_undo", `This change of ${path} is not stored, or it is not text. Restore the file instead.`);
  const view = diffView(path, old, current);
  const hunk = view.hunks.find((each) => each.oldStart === oldStart && each.newStart === newStart);
  if (!hunk) return refuse("nothing_to_undo", `${path} has no change at line ${newStart}. Load its changes again.`);
  if ((await snapshots.now(workspace, path)) !== after)
    return refuse("undo_conflict", `${path} has changed since then and was left unchanged. Load its changes again.`);
  const to = await snapshots.store(Buffer.from(revertHunk({ before: old, after: current, hunk, lineEnds: view.lineEnds })));
  const count = (sign: string) => hunk.lines.filter((line) => line.startsWith(sign)).length;
  const isLast = to === changes[0]?.before;
  const mode = snapshots.modeOf(workspace, path);
  const started: SessionEvent = {
    type: "undo.started",
    since: isLast ? 0 : (log.at(-1)?.seq ?? 0),
    files: [{ path, to, expect: after, was: after, ...(mode === undefined ? {} : { mode, wasMode: mode }) }],
    told: true,
    some: true,
    ...(isLast ? {} : { hunk: { added: count("+"), removed: count("-") } }),
    by,
  };
  return { events: [started] };
}
