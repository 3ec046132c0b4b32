import type { PromptEntry } from "@baton/core/session/transcript/entry";
import { Suspense, useState } from "react";
import { useApp, useConnected } from "../../store/app-context.ts";
import { useSession, useSessionSnapshot } from "../../store/session/session-context.ts";
import { Icon } from "../icon.tsx";
import { lazyComponent } from "../lazy-component.tsx";

/** Rarely used, so it is not part of the first load. */
const RewindDialog = lazyComponent(async () => (await import("./rewind-dialog.tsx")).RewindDialog);

/** Actions of a prompt: fork the session before it, or rewind to it. */
export function PromptActions({ entry }: { entry: PromptEntry }) {
  const { link, drafts, imageStore, route, tell } = useApp();
  const { id } = useSession();
  const [asking, setAsking] = useState(false);
  const connected = useConnected();
  const first = useSessionSnapshot(({ parts }) => parts[0]?.from === 1 && parts[0].entries[0]?.id === entry.id);
  const fork = async () => {
    const forked = await link.api.session.fork.mutate({ sessionId: id, at: entry.receivedSeq - 1 });
    drafts.of(forked.id).set(entry.text);
    imageStore.put(forked.id, entry.images ?? []);
    route.go({ page: "session", id: forked.id });
  };
  return (
    <span className="actions">
      <button
        className="btn quiet small"
        disabled={!connected || first}
        onClick={() => void fork().catch(tell)}
        aria-label="Fork before this"
        title="Fork: create a session with everything before this prompt"
      >
        <Icon name="repo-forked" small />
        <span className="label">Fork before this</span>
      </button>
      <button
        className="btn quiet small"
        disabled={!connected}
        onClick={() => setAsking(true)}
        aria-label="Rewind …"
        title="Rewind this session to before this prompt"
      >
        <Icon name="discard" small />
        <span className="label">Rewind …</span>
      </button>
      <Suspense>{asking ? <RewindDialog entry={entry} onClose={() => setAsking(false)} /> : undefined}</Suspense>
    </span>
  );
}
