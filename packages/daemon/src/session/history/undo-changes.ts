import type { Logged, FileRestore, SessionEvent } from "@baton/core/protocol/event";
import { refuse, type Refusal } from "@baton/core/protocol/refusal";
import type { Actor } from "@baton/core/protocol/request";
import type { EffectOf } from "@baton/core/session/next-effects";
import { fileHistory, newestTurnWith, redoRestores, restoresSince } from "@baton/core/session/undo";
import type { SessionState } from "@baton/core/session/state";
import type { SessionDependencies, WorkspaceSnapshots } from "../session-dependencies.ts";
import type { EffectContext } from "../effect-context.ts";
import { rewindTo, type Rewind } from "./rewind-session.ts";

/**
 * What an undo would do: to which files, and which of them somebody else has changed since. `unseen` are commands and calls
 * of servers since then, in words: what they changed besides stays.
 */
export type UndoPlan = { since: number; promptId: string | undefined; files: (FileRestore & { conflict: boolean })[]; unseen: string[] };

type Wanted = { promptId?: string | undefined; redo?: boolean | undefined };

/** Looks at the log and the disk; changes nothing. */
export async function planUndo(
  { promptId, redo = false }: Wanted,
  log: readonly Logged[],
  workspace: string,
  { snapshots }: Pick<SessionDependencies, "snapshots">,
): Promise<UndoPlan | { refused: Refusal }> {
  const { changes, undone } = fileHistory(log);
  const last = undone.at(-1);
  if (redo) {
    const again = last ? redoRestores(last) : [];
    if (!last || again.length === 0) return refuse("nothing_to_redo", "No undo can be taken back: there was none, or it changed no files.");
    return { since: last.since, promptId: undefined, files: await withConflicts(again, workspace, snapshots), unseen: [] };
  }
  const since = promptId === undefined ? newestTurnWith(changes, log) : deliveredAt(promptId, log);
  if (since === undefined && promptId !== undefined) return refuse("prompt_not_found", "This prompt is not part of the conversation.");
  const restoring = since === undefined ? [] : restoresSince(changes, since);
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
  const also = unseen.length === 0 ? "" : ` What these did, if anything, stays: ${unseen.slice(-3).join("; ")}.`;
  return `The agent has changed no files since then.${also}`;
}

/** Calls that may have changed more than anybody saw: they were allowed as commands, or as tools of servers. */
function unseenSince(since: number, log: readonly Logged[]): string[] {
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

/** The events that begin an undo, or why it cannot be. Files that somebody else has changed since are not written over. */
export async function undoChanges(
  { conversation, partial = false, by, ...wanted }: Wanted & { conversation: boolean; partial?: boolean | undefined; by: Actor },
  log: readonly Logged[],
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
      `Changed since, and left as they are: ${conflicts.join(", ")}. ${others === 0 ? "Keep or move those changes, then try again." : `The other ${others === 1 ? "file" : `${others} files`} can be changed without them.`}`,
    );
  const restoring = await Promise.all(files.map((file) => keptNow(file, state.workspace, services)));
  const { redo } = wanted;
  const started: SessionEvent = { type: "undo.started", since, files: restoring, told: !conversation, ...(redo ? { redo } : {}), by };
  if (!conversation) return { events: [started] };
  const rewound = rewindTo(promptId ?? "", log, state, by);
  return "refused" in rewound ? rewound : { ...rewound, events: [...rewound.events, started] };
}

/** Keeps what a file is now, so that the undo can be taken back. */
async function keptNow(
  { conflict, ...file }: UndoPlan["files"][number],
  workspace: string,
  { snapshots }: Pick<SessionDependencies, "snapshots">,
): Promise<FileRestore> {
  const was = conflict || snapshots.isFolder(workspace, file.path) ? undefined : await snapshots.keep(workspace, file.path);
  const wasMode = was === undefined ? undefined : snapshots.modeOf(workspace, file.path);
  return { ...file, ...(was === undefined ? {} : { was }), ...(wasMode === undefined ? {} : { wasMode }) };
}

/**
 * Puts the files back. One that is right already is left, so an undo that a crash cut off is simply done again. Folders that
 * the agent made go last, and only where nobody else has put anything into them.
 */
export async function restoreFiles(
  { key, undo: { since, files, told, redo } }: EffectOf<"restoreFiles">,
  session: EffectContext,
  signal: AbortSignal,
): Promise<void> {
  const { snapshots } = session.services;
  const { workspace } = session.state;
  const restored: string[] = [];
  const left: { path: string; why: string }[] = [];
  const folders = files.filter((file) => isMadeFolder(file, workspace, snapshots));
  for (const file of files.filter((each) => !folders.includes(each))) {
    const now = await snapshots.now(workspace, file.path);
    const fault = now === file.to ? undefined : fits(file, now) ? await snapshots.restore(workspace, file, signal) : CHANGED;
    if (fault) left.push({ path: file.path, why: fault.message });
    else restored.push(file.path);
  }
  for (const folder of folders.map((each) => each.path).toSorted((a, b) => b.length - a.length))
    // what lies in one before it
    if (await snapshots.removeEmpty(workspace, folder)) restored.push(folder);
  await session.report(key, [{ type: "undo.finished", since, ...(redo ? { redo } : {}), restored, left, told }]);
}

const CHANGED = { message: "It has been changed by somebody else since." };

const fits = ({ to, expect }: FileRestore, now: string | null | undefined): boolean =>
  now === to || (now !== undefined && (expect === undefined || expect === now));

/** Nothing was there before, and what is there now is no content that anybody could have seen change. */
const isMadeFolder = ({ path, to, expect }: FileRestore, workspace: string, { isFolder }: WorkspaceSnapshots): boolean =>
  to === null && expect === undefined && isFolder(workspace, path);

const deliveredAt = (promptId: string, log: readonly Logged[]): number | undefined =>
  log.find((event) => event.type === "prompt.delivered" && event.promptIds.some((id) => id === promptId))?.seq;

function promptAt(since: number, log: readonly Logged[]): string | undefined {
  const event = log.find(({ seq }) => seq === since);
  return event?.type === "prompt.delivered" ? event.promptIds[0] : undefined;
}
