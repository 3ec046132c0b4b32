import { omitUndefined } from "@baton/core/text/omit-undefined";
import type { SessionEvent } from "@baton/core/protocol/event";
import type { Call } from "@baton/core/session/state";
import type { BeforeFileChange } from "../../../system/files/files.ts";
import { modeOfStep } from "../../mode-of-step.ts";
import type { EffectContext } from "../../effects/effect-context.ts";

/** Takes a snapshot of each file before the call's first change to it, and reports afterwards what became of it. */
export function snapshotFiles(
  { id: callId }: Call,
  session: EffectContext,
): {
  keep: BeforeFileChange;
  /** records all of them in one step of the log */
  keepAll: (paths: readonly string[]) => Promise<void>;
  /** The files that a tool changed itself, each with the hash of its content before, or null. */
  edited: () => ReadonlyMap<string, string | null>;
  /** Whether a language server checks one of the files that a tool changed. */
  awaitsDiagnostics: () => boolean;
  changed: () => Promise<SessionEvent[]>;
} {
  const { services, state } = session;
  const contents = new Map<string, string | null>();
  const edited = new Map<string, string | null>();
  let isChecked = false;
  const asItIs = async (path: string): Promise<SessionEvent[]> => {
    if (contents.has(path)) return [];
    const before = await services.snapshots.keep(state.workspace, path);
    if (before === undefined) return [];
    contents.set(path, before);
    const mode = services.snapshots.modeOf(state.workspace, path);
    return [{ type: "file.kept", callId, path, before, ...omitUndefined({ mode }) }];
  };
  const keepAll = async (paths: readonly string[]) => {
    const events: SessionEvent[] = [];
    for (const path of paths) events.push(...(await asItIs(path)));
    if (events.length > 0) await session.note(events);
  };
  return {
    keep: async (path) => {
      await keepAll([path]);
      const { workspace } = state;
      const mode = modeOfStep(state);
      const before = contents.get(path);
      if (before !== undefined) edited.set(path, before);
      if (before === undefined) return;
      if (await services.languages.willChange({ sessionId: session.id, callId, workspace, mode, path, before })) isChecked = true;
    },
    keepAll,
    edited: () => edited,
    awaitsDiagnostics: () => isChecked,
    async changed() {
      const now = await Promise.all(
        Array.from(contents.keys(), async (path) => ({ path, after: await services.snapshots.now(state.workspace, path) })),
      );
      return now.flatMap(({ path, after }): SessionEvent[] => (after === undefined ? [] : [{ type: "file.changed", callId, path, after }]));
    },
  };
}

const MAX_NAMED = 50;

/**
 * A command or a tool that is a file changes files by itself. Baton takes a snapshot of the files that the gate or its declaration expects it to write, of the contents of
 * folders, and of missing folders that it may create.
 */
export async function filesToSnapshot({ verdict }: Call, { state, services }: EffectContext): Promise<string[]> {
  if (!verdict?.accesses.some(({ action }) => action === "command" || action === "tool")) return [];
  const edits = verdict.accesses.filter(({ action }) => action === "edit").slice(0, MAX_NAMED);
  const below = await Promise.all(edits.map(({ resource }) => services.snapshots.filesIn(state.workspace, resource)));
  const above = edits.flatMap(({ resource }) => services.snapshots.missingAbove(state.workspace, resource));
  return [...above, ...edits.map(({ resource }) => resource), ...below.flat()];
}
