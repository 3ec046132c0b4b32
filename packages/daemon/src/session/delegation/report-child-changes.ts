import { omitUndefined } from "@baton/core/text/omit-undefined";
import type { SessionEvent } from "@baton/core/protocol/event";
import type { CallId } from "@baton/core/protocol/ids";
import { currentFileChanges, type FileChange } from "@baton/core/session/undo";
import type { EffectContext } from "../effects/effect-context.ts";
import type { SessionLog } from "../session-log.ts";

type Logs = { readonly log: Pick<SessionLog, "readAll"> };

/** A file that a subtask changed counts as changed by the delegating call, so that an undo in the parent restores it. */
export function childChangeEvents({ path, before, after, mode }: FileChange, callId: CallId): SessionEvent[] {
  return [
    { type: "file.kept", callId, path, before, ...omitUndefined({ mode }) },
    ...(after === undefined ? [] : [{ type: "file.changed", callId, path, after } as const]),
  ];
}

/**
 * Records the changes of a stopped subtask in its parent's log. A stopped parent does not wait for the call's result, which
 * otherwise records them. Changes that the parent already has are left out.
 */
export async function reportChildChanges(child: Logs, parent: Logs & Pick<EffectContext, "state" | "note">, callId: CallId): Promise<void> {
  if (!parent.state.created) return;
  const known = new Set(currentFileChanges(await parent.log.readAll()).map(changeKey));
  const changes = currentFileChanges(await child.log.readAll()).filter((change) => !known.has(changeKey(change)));
  if (changes.length > 0) await parent.note(changes.flatMap((change) => childChangeEvents(change, callId)));
}

const changeKey = ({ path, before, after }: FileChange): string => JSON.stringify([path, before, after]);
