import type { Answer } from "@baton/core/protocol/request";
import { useLayoutEffect, useState } from "react";
import { useApp, useConnected, useWatched } from "../store/app.ts";
import { stands, takesAnswer, type Quiet } from "../store/quiet.ts";
import { useSession, useSight } from "../store/session-context.ts";
import { answeredWhere, answerGiven } from "../view/actor.ts";
import { Call } from "../view/call.tsx";
import { oneLine } from "@baton/core/text/clean";
import { Diamond } from "../view/icon.tsx";
import { RequestCard } from "../view/request.tsx";
import type { Open } from "./open-requests.ts";
import type { Shown } from "./use-shown.ts";

/** More than so many requests of one subtask stand in one line until somebody wants to see them. */
const MOST_OF_ONE = 3;

type Props = {
  shown: readonly Shown[];
  now: string | undefined;
  quiet: Quiet;
  give: (open: Open, answer: Answer) => void;
  onFocus: (id: string) => void;
  onHint: (hint: string) => void;
};

export function Requests({ shown, now, quiet, give, onFocus, onHint }: Props) {
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const counts = new Map<string, number>();
  const live = shown.filter(({ closed }) => !closed).map(({ request }) => request.id);
  for (const { sessionId, session } of shown) if (session !== undefined) counts.set(sessionId, (counts.get(sessionId) ?? 0) + 1);
  const folded = (open: Open) =>
    open.session !== undefined && (counts.get(open.sessionId) ?? 0) > MOST_OF_ONE && !opened.has(open.sessionId);
  const heads = new Set<string>();
  return (
    <div className="requests">
      {shown.map((open) => {
        if (!folded(open))
          return (
            <Card
              key={open.request.id}
              open={open}
              nth={live.indexOf(open.request.id) + 1}
              of={live.length}
              {...{ now, quiet, give, onFocus, onHint }}
            />
          );
        if (heads.has(open.sessionId)) return undefined;
        heads.add(open.sessionId);
        return (
          <button
            key={open.sessionId}
            type="button"
            className="btn quiet folded"
            onClick={() => setOpened(new Set([...opened, open.sessionId]))}
          >
            <Diamond className="st-wait" />
            {counts.get(open.sessionId)} requests of {oneLine(open.session ?? "")}: show them
          </button>
        );
      })}
    </div>
  );
}

type CardProps = Omit<Props, "shown"> & { open: Shown; nth: number; of: number };

function Card({ open, nth, of, now, quiet, give, onFocus, onHint }: CardProps) {
  const { request, mode, session, closed } = open;
  const { id } = request;
  const { answerDrafts } = useApp();
  const drafts = useWatched(answerDrafts);
  const connected = useConnected();
  useLayoutEffect(() => stands(quiet, id, performance.now()), [quiet, id, connected]); // a banner that comes or goes moves it
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
          if (takesAnswer(quiet, id, "click", performance.now())) give(open, answer);
          else onHint("Too early: it has only just come. Answer it again.");
        }}
        onHint={onHint}
        settled={closed ? <Settled open={open} /> : undefined}
      />
    </div>
  );
}

/** What became of it, while the pointer still rests on it. */
function Settled({ open: { request } }: { open: Open }) {
  const { here } = useApp();
  const { answers } = useSession();
  const callId = "call" in request.subject ? request.subject.call : undefined;
  const entry = useSight(({ parts }) => parts.at(-1)?.entries.findLast((each) => each.id === callId));
  const seen = answers.get(request.id);
  return (
    <>
      <span>
        {seen
          ? `${answerGiven(seen.answer, request)} ${answeredWhere(seen.by, { here: here.has(request.id), elsewhere: true })}`
          : "This needs no answer any more."}
      </span>
      {entry?.kind === "call" && seen?.answer.choice !== "deny" ? <Call entry={entry} /> : undefined}
    </>
  );
}
