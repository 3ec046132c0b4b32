import type { RequestAnswer } from "@baton/core/protocol/request";
import { useLayoutEffect, useState } from "react";
import { useApp, useConnected, useObservableValue } from "../store/app-context.ts";
import { acceptsInput, noteRequestShown, type InputGuard } from "@baton/core/client/request-input-guard";
import { oneLine } from "@baton/core/text/sanitize";
import { NeedsYouIcon } from "../components/icon.tsx";
import { RequestCard } from "../components/request/request-card.tsx";
import type { OpenRequests } from "./open-requests.ts";

/** More requests of one subtask are collapsed into a line. */
const MAX_OF_ONE = 3;

type Props = {
  open: readonly OpenRequests[];
  now: string | undefined;
  guard: InputGuard;
  give: (open: OpenRequests, answer: RequestAnswer) => void;
  onFocus: (id: string) => void;
  onHint: (hint: string) => void;
};

export function OpenRequestList({ open: all, now, guard, give, onFocus, onHint }: Props) {
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const counts = new Map<string, number>();
  for (const { sessionId, session } of all) if (session !== undefined) counts.set(sessionId, (counts.get(sessionId) ?? 0) + 1);
  const folded = (open: OpenRequests) =>
    open.session !== undefined && (counts.get(open.sessionId) ?? 0) > MAX_OF_ONE && !opened.has(open.sessionId);
  const heads = new Set<string>();
  return (
    <div className="requests">
      {all.map((open, nth) => {
        if (!folded(open))
          return <Card key={open.request.id} open={open} nth={nth + 1} of={all.length} {...{ now, guard, give, onFocus, onHint }} />;
        if (heads.has(open.sessionId)) return undefined;
        heads.add(open.sessionId);
        return (
          <button
            key={open.sessionId}
            type="button"
            className="btn quiet folded"
            onClick={() => setOpened(new Set([...opened, open.sessionId]))}
          >
            <NeedsYouIcon className="st-wait" />
            {counts.get(open.sessionId)} requests of {oneLine(open.session ?? "")}: show them
          </button>
        );
      })}
    </div>
  );
}

type CardProps = Omit<Props, "open"> & { open: OpenRequests; nth: number; of: number };

function Card({ open, nth, of, now, guard, give, onFocus, onHint }: CardProps) {
  const { request, mode, session } = open;
  const { id } = request;
  const { answerDrafts } = useApp();
  const drafts = useObservableValue(answerDrafts);
  const connected = useConnected();
  useLayoutEffect(() => noteRequestShown(guard, id, performance.now()), [guard, id, connected]); // a banner that appears or disappears moves the card
  return (
    <div onFocus={() => onFocus(id)}>
      <RequestCard
        request={request}
        mode={mode}
        session={session}
        nth={nth}
        of={of}
        now={id === now}
        draft={drafts[id] ?? {}}
        onDraft={(draft) => answerDrafts.set({ ...answerDrafts.get(), [id]: draft })}
        onAnswer={(answer) => {
          if (acceptsInput(guard, id, "click", performance.now())) give(open, answer);
          else onHint("Too early: the request has only just appeared or moved. Answer it again.");
        }}
        onHint={onHint}
      />
    </div>
  );
}
