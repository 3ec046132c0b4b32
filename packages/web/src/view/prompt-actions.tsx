import type { CallEntry, Entry, PromptEntry } from "@baton/core/session/transcript";
import { useState } from "react";
import { newCommandId } from "@baton/daemon/insist";
import { useApp, useConnected } from "../store/app.ts";
import { useSession, useSight } from "../store/session-context.ts";
import { oneLine } from "@baton/core/text/clean";
import { Dialog } from "./dialog.tsx";
import { Icon } from "./icon.tsx";
import { count } from "@baton/core/text/words";

/** From a prompt one can go another way: in a session of its own, or in this one. */
export function PromptActions({ entry }: { entry: PromptEntry }) {
  const { link, drafts, pictures, route, tell } = useApp();
  const { id } = useSession();
  const [asking, setAsking] = useState(false);
  const connected = useConnected();
  const first = useSight(({ parts }) => parts[0]?.from === 1 && parts[0].entries[0]?.id === entry.id);
  const fork = async () => {
    const forked = await link.api.session.fork.mutate({ sessionId: id, commandId: newCommandId(), at: entry.receivedSeq - 1 });
    drafts.of(forked.id).set(entry.text);
    pictures.put(forked.id, entry.images ?? []);
    route.go({ page: "session", id: forked.id });
  };
  return (
    <span className="actions">
      <button
        className="btn quiet small"
        disabled={!connected || first}
        onClick={() => void fork().catch(tell)}
        aria-label="Fork before this"
        title="Fork: another session with all that came before"
      >
        <Icon name="repo-forked" small />
        <span className="label">Fork before this</span>
      </button>
      <button
        className="btn quiet small"
        disabled={!connected}
        onClick={() => setAsking(true)}
        aria-label="Rewind …"
        title="Take this session back to before this prompt"
      >
        <Icon name="discard" small />
        <span className="label">Rewind …</span>
      </button>
      {asking ? <RewindDialog entry={entry} onClose={() => setAsking(false)} /> : undefined}
    </span>
  );
}

/** What would be taken back, before it is. */
function RewindDialog({ entry, onClose }: { entry: PromptEntry; onClose: () => void }) {
  const { wishes, drafts, pictures, tell } = useApp();
  const { id } = useSession();
  const busy = useSight(({ state }) => state.turn !== undefined);
  const parts = useSight((sight) => sight.parts);
  const after = parts.flatMap(({ entries }) => entries).filter((each) => each.seq >= entry.seq);
  const changed = changedFiles(after);
  const rewind = async () => {
    await wishes.wish(id, { type: "rewind", promptId: entry.id });
    drafts.of(id).set(entry.text);
    pictures.put(id, entry.images ?? []);
  };
  return (
    <Dialog title="Rewind to before this prompt?" onClose={onClose}>
      <blockquote className="prompt">{oneLine(entry.text).slice(0, 300)}</blockquote>
      <p>
        {count(after.filter(({ kind }) => kind === "prompt").length, "prompt")} and{" "}
        {count(after.filter(({ kind }) => kind === "call").length, "call")} leave the conversation; the log keeps them. The prompt comes
        back into the box.
      </p>
      {changed.length === 0 ? undefined : (
        <>
          <p>What was done to files stays done:</p>
          <ul className="mono">
            {changed.slice(0, 12).map((path) => (
              <li key={path}>{oneLine(path)}</li>
            ))}
            {changed.length > 12 ? <li>and {changed.length - 12} more</li> : undefined}
          </ul>
        </>
      )}
      {busy ? <p>A turn is running. Stop it first, then rewind.</p> : undefined}
      <form method="dialog" className="row">
        <button className="btn solid" disabled={busy} onClick={() => void rewind().catch(tell)}>
          Rewind
        </button>
        <button className="btn quiet">Keep everything</button>
      </form>
    </Dialog>
  );
}

const changedFiles = (entries: readonly Entry[]): string[] => [
  ...new Set(entries.flatMap((entry) => (entry.kind === "call" && entry.phase === "ok" ? pathsOf(entry) : []))),
];

const pathsOf = ({ result }: CallEntry): string[] => (result?.view?.type === "diff" ? [result.view.path] : []);
