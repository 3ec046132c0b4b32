import { nextModel } from "@baton/core/mode/next-step-model";
import { compactionReason } from "@baton/core/session/context/context-budget";
import type { PromptDelivery } from "@baton/core/protocol/event";
import { useEffect, useMemo, useRef, useState } from "react";
import type { SessionCommand } from "@baton/core/protocol/command";
import { useApp, useObservableValue } from "../store/app-context.ts";
import { useModes } from "../store/folder-context.ts";
import type { SessionViewStore, SessionSnapshot } from "../store/session/session-store.ts";
import { Announcer } from "../components/announcer.tsx";
import { Banner, NoticeBanner, StalledBanner } from "../components/banner.tsx";
import { useChangedFiles } from "../components/conversation/changed-files.tsx";
import { useCapabilities } from "../components/details/mode-capabilities.tsx";
import { CapabilityStrip } from "../components/details/mode-capability-strip.tsx";
import { EmptyState } from "../components/conversation/empty-state.tsx";
import type { SentPrompt } from "../components/composer/use-send-prompt.ts";
import { useBackgroundCommands } from "../components/details/background-commands.tsx";
import { DetailsPanel } from "../components/details/details-panel.tsx";
import { formatCost } from "@baton/core/text/format";
import { plainTitle } from "../components/request/request-titles.ts";
import { TranscriptList } from "../components/conversation/transcript.tsx";
import { Composer } from "./composer.tsx";
import { Header } from "./header.tsx";
import { openRequestsHere, type OpenRequests } from "./open-requests.ts";
import { OpenRequestList } from "./open-request-list.tsx";
import { useJumpToEvent } from "./use-jump-to-event.ts";
import { useActiveRequest } from "./use-active-request.ts";
import { SHORTCUT_HELP } from "../store/shortcuts.ts";
import { Dialog } from "../components/dialog.tsx";

type Props = { snapshot: SessionSnapshot; store: SessionViewStore; requestId: string | undefined; seq: number | undefined };

/** An open session: transcript, requests, prompt box and details. */
export function Conversation({ snapshot, store, requestId, seq }: Props) {
  const { id, state, stalled } = snapshot;
  const { lists, commands, tell } = useApp();
  const inbox = useObservableValue(lists.inbox);
  const open = useMemo(() => openRequestsHere(id, state, inbox), [id, state, inbox]);
  const box = useRef<HTMLTextAreaElement>(null);
  const [help, setHelp] = useState(false);
  const showHelp = () => setHelp(true);
  const attention = useActiveRequest({ open, snapshot, store, wantedId: requestId, box, onHelp: showHelp });
  useJumpToEvent(seq, { store, scroller: attention.scroller, show: attention.show });
  const hidden = useHidden(open.map(requestCall(id)));
  const may = useCapabilities(state.mode, state.workspace, state.grants);
  const changed = useChangedFiles(snapshot);
  const background = useBackgroundCommands(id, state.processes);
  const subtasks = useSubtasks(id);
  const mode = useModes().find(({ slug }) => slug === state.mode);
  const model = nextModel(state, mode, useObservableValue(lists.model)?.id ?? undefined);

  useSeen(id, snapshot.seq);

  const run = (what: SessionCommand) => void commands.send(id, what).catch(tell);
  const send = (prompt: SentPrompt, delivery: PromptDelivery) => {
    attention.toEnd();
    return commands.prompt(id, prompt, delivery);
  };

  return (
    <>
      <main className="main">
        <Header id={id} state={state} changed={changed} background={background} onHelp={showHelp} />
        <CapabilityStrip mode={state.mode} may={may} />
        <Banner />
        {stalled === null ? undefined : <StalledBanner message={stalled} />}
        <div className="scroll" ref={attention.scroller} tabIndex={0} role="region" aria-label="Transcript">
          <NoticeBanner />
          <div className="turns" ref={attention.content}>
            {snapshot.hasOlder ? <p className="older dim">Scroll up to load earlier entries.</p> : undefined}
            {isEmpty(snapshot) ? <EmptyState mode={state.mode} may={may} /> : undefined}
            <TranscriptList snapshot={snapshot} hidden={hidden} scroller={attention.scroller} />
            {state.step?.phase !== "running" && compactionReason(state) ? (
              <p className="older dim" role="status">
                The conversation is being compacted.
              </p>
            ) : undefined}
            <OpenRequestList {...attention} onHint={tell} />
          </div>
          <Composer
            {...{ id, state, model, may, open, box, send, run }}
            scroller={attention.scroller}
            cost={formatCost({ ...state.usage, cost: state.usage.cost + subtasks.cost })}
            next={() => attention.step(1)}
            leave={attention.leavePrompt}
            toNewest={attention.following ? undefined : attention.toEnd}
            onHelp={showHelp}
          />
        </div>
      </main>
      <DetailsPanel id={id} state={state} model={model} may={may} changed={changed} background={background} subtasks={subtasks} />
      <Announcer snapshot={snapshot} open={open.map(({ request }) => plainTitle(request))} />
      {help ? <Help onClose={() => setHelp(false)} /> : undefined}
    </>
  );
}

const isEmpty = ({ parts, state }: SessionSnapshot): boolean =>
  parts.every(({ entries }) => entries.length === 0) && state.queue.length === 0 && !state.turn;

/** The call of this session that a request is about. The request card replaces it. */
const requestCall =
  (id: string) =>
  ({ request, sessionId }: OpenRequests): string =>
    "call" in request.subject && sessionId === id ? request.subject.call : "";

/** Returns the same set while it contains the same calls. */
function useHidden(calls: readonly string[]): ReadonlySet<string> {
  const key = calls.filter(Boolean).join(" ");
  return useMemo(() => new Set(key.split(" ")), [key]);
}

/** Marks the session as read while the page is visible. */
function useSeen(id: string, seq: number): void {
  const { seen } = useApp();
  useEffect(() => {
    const look = () => {
      if (document.visibilityState === "visible") seen.saw(id, seq);
    };
    look();
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  }, [seen, id, seq]);
}

/** The number and cost of the subtasks of a session. */
function useSubtasks(id: string): { count: number; cost: number } {
  const rows = useObservableValue(useApp().lists.sessions) ?? [];
  const below = rows.filter((row) => row.id.startsWith(`${id}.`));
  return { count: below.length, cost: below.reduce((sum, { cost }) => sum + cost, 0) };
}

/** The list of all keys. */
function Help({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <dl className="keys">{SHORTCUT_HELP.map(([key, about]) => [<dt key={key}>{key}</dt>, <dd key={`${key} about`}>{about}</dd>])}</dl>
      <form method="dialog">
        <button className="btn">Close</button>
      </form>
    </Dialog>
  );
}
