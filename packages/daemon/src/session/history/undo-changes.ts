import { omitUndefined } from "@baton/core/text/omit-undefined";
import type { LoggedEvent, FileRestore, RestoredHunk, SessionEvent } from "@baton/core/protocol/event";
import { refuse, type Refusal } from "@baton/core/protocol/refusal";
import type { Actor } from "@baton/core/protocol/request";
import type { SessionEffectOf } from "@baton/core/session/next-effects";
import { fileHistory, newestChangingTurnSeq, redoRestores, restoresSince } from "@baton/core/session/undo";
import type { SessionState } from "@baton/core/session/state";
import type { SessionDependencies, WorkspaceSnapshots } from "../session-dependencies.ts";
import type { EffectContext } from "../effects/effect-context.ts";
import { rewindTo, type Rewind } from "./rewind-session.ts";

/**
 * The effect of an undo: the files, and which of them the user or another program has changed since. `unseen`: descriptions of commands and
 * server calls since then, whose other changes remain.
 */
type UndoPlan = {
  since: number;
  promptId: string | undefined;
  files: (FileRestore & { conflict: boolean })[];
  unseen: string[];
  /** The redo brings back only this part of the file. */
  hunk?: RestoredHunk | undefined;
};

type UndoTarget = { promptId?: string | undefined; redo?: boolean | undefined; paths?: readonly string[] | undefined };

/** Reads the log and the disk and changes nothing. */
export async function planUndo(
  { promptId, redo = false, paths }: UndoTarget,
  log: readonly LoggedEvent[],
  workspace: string,
  { snapshots }: Pick<SessionDependencies, "snapshots">,
): Promise<UndoPlan | { refused: Refusal }> {
  const { changes, undone } = fileHistory(log);
  const last = undone.at(-1);
  if (redo) {
    const again = last ? redoRestores(last) : [];
    if (!last || again.length === 0) return refuse("nothing_to_redo", "There is no undo that can be redone.");
    const files = await withConflicts(again, workspace, snapshots);
    return { since: last.since, promptId: undefined, files, unseen: [], hunk: last.hunk };
  }
  const start = paths ? 0 : newestChangingTurnSeq(changes, log);
  const since = promptId === undefined ? start : deliveredAt(promptId, log);
  if (since === undefined && promptId !== undefined) return refuse("prompt_not_found", "This prompt is not part of the conversation.");
  const isMeant = ({ path }: FileRestore) => paths === undefined || paths.includes(path);
  const restoring = since === undefined ? [] : restoresSince(changes, since).filter(isMeant);
  if (since === undefined || restoring.length === 0) return refuse("nothing_to_undo", nothingKnown(unseenSince(since ?? 0, log)));
  const files = await withConflicts(restoring, workspace, snapshots);
  return { since, promptId: promptId ?? promptAt(since, log), files, unseen: unseenSince(since, log) };
}

const withConflicts = (files: readonly FileRestore[], workspace: string, snapshots: WorkspaceSnapshots): Promise<UndoPlan["files"]> =>
  Promise.all(
    files.map(async (file) => {
      const conflict = !isMadeFolder(file, workspace, snapshots) && !fits(file, await snapshots.now(workspace, file.path));
      return { ...file, conflict };
    }),
  );

function nothingKnown(unseen: readonly string[]): string {
  const also = unseen.length === 0 ? "" : ` Changes by these, if any, remain: ${unseen.slice(-3).join("; ")}.`;
  return `The agent has changed no files since then.${also}`;
}

/** Calls that may have changed more than Baton saw: commands, and tools of servers. */
function unseenSince(since: number, log: readonly LoggedEvent[]): string[] {
  const labels = new Map(
    log.flatMap((event) => (event.type === "model.replied" ? event.calls.map(({ id, label }) => [id, label] as const) : [])),
  );
  return log.flatMap((event) => {
    if (event.type !== "tool.allowed" || event.seq <= since || !event.verdict.accesses.some(({ action }) => UNSEEN.has(action))) return [];
    const { verb = "call", object = event.callId } = labels.get(event.callId) ?? {};
    return [`${verb} ${object}`];
  });
}

const UNSEEN = new Set(["command", "mcp"]);

/**
 * The events that start an undo, or why it is impossible. Files that the user or another program has changed since are never overwritten.
 */
export async function undoChanges(
  { conversation, partial = false, by, ...wanted }: UndoTarget & { conversation: boolean; partial?: boolean | undefined; by: Actor },
  log: readonly LoggedEvent[],
  state: SessionState,
  services: SessionDependencies,
): Promise<{ events: SessionEvent[] } | Rewind | { refused: Refusal }> {
  const plan = await planUndo(wanted, log, state.workspace, services);
  if ("refused" in plan) return plan;
  const { since, files, promptId } = plan;
  const conflicts = files.filter(({ conflict }) => conflict).map(({ path }) => path);
  const others = files.length - conflicts.length;
  if (conflicts.length > 0 && (!partial || others === 0))
    return refuse(
      "undo_conflict",
      `Changed by somebody else and left unchanged: ${conflicts.join(", ")}. ${others === 0 ? "Keep or move those changes, then try again." : `The other ${others === 1 ? "file" : `${others} files`} can be restored without them.`}`,
    );
  const restoring = await Promise.all(files.map((file) => keptNow(file, state.workspace, services)));
  const { redo, paths } = wanted;
  const started: SessionEvent = {
    type: "undo.started",
    since,
    files: restoring,
    told: !conversation,
    ...(paths ? { some: true } : {}),
    ...omitUndefined({ hunk: plan.hunk }),
    ...(redo ? { redo } : {}),
    by,
  };
  if (!conversation) return { events: [started] };
  const rewound = rewindTo(promptId ?? "", log, state, by);
  return "refused" in rewound ? rewound : { ...rewound, events: [...rewound.events, started] };
}

/** Takes a snapshot of a file as it is now, so that the undo can be redone. */
async function keptNow(
  { conflict, ...file }: UndoPlan["files"][number],
  workspace: string,
  { snapshots }: Pick<SessionDependencies, "snapshots">,
): Promise<FileRestore> {
  const was = conflict || snapshots.isFolder(workspace, file.path) ? undefined : await snapshots.keep(workspace, file.path);
  const wasMode = was === undefined ? undefined : snapshots.modeOf(workspace, file.path);
  return { ...file, ...omitUndefined({ was, wasMode }) };
}

/**
 * Restores the files. A file that is already right is left alone, so an undo that a crash interrupted is simply done again.
 * Folders that the agent made are removed last, and only if nobody else has put anything into them.
 */
export async function restoreFiles(
  { key, undo: { since, files, told, hunk, redo } }: SessionEffectOf<"restoreFiles">,
  session: EffectContext,
  signal: AbortSignal,
): Promise<void> {
  const { snapshots } = session.services;
  const { workspace } = session.state;
  const restored: string[] = [];
  const skipped: { path: string; why: string }[] = [];
  const folders = files.filter((file) => isMadeFolder(file, workspace, snapshots));
  for (const file of files.filter((each) => !folders.includes(each))) {
    const now = await snapshots.now(workspace, file.path);
    const problem = now === file.to ? undefined : fits(file, now) ? await snapshots.restore(workspace, file, signal) : CHANGED;
    if (problem) skipped.push({ path: file.path, why: problem.message });
    else restored.push(file.path);
  }
  for (const folder of folders.map((each) => each.path).toSorted((a, b) => b.length - a.length))
    // its contents first
    if (await snapshots.removeEmpty(workspace, folder)) restored.push(folder);
  await session.report(key, [
    { type: "undo.finished", since, ...omitUndefined({ hunk }), ...(redo ? { redo } : {}), restored, left: skipped, told },
  ]);
}

const CHANGED = { message: "Somebody else has changed it since." };

const fits = ({ to, expect }: FileRestore, now: string | null | undefined): boolean =>
  now === to || (now !== undefined && (expect === undefined || expect === now));

/** Nothing was there before, and what is there now has no content that somebody could have changed. */
const isMadeFolder = ({ path, to, expect }: FileRestore, workspace: string, { isFolder }: WorkspaceSnapshots): boolean =>
  to === null && expect === undefined && isFolder(workspace, path);

const deliveredAt = (promptId: string, log: readonly LoggedEvent[]): number | undefined =>
  log.find((event) => event.type === "prompt.delivered" && event.promptIds.some((id) => id === promptId))?.seq;

function promptAt(since: number, log: readonly LoggedEvent[]): string | undefined {
  const event = log.find(({ seq }) => seq === since);
  return event?.type === "prompt.delivered" ? event.promptIds[0] : undefined;
}
