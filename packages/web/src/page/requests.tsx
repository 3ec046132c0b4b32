import type { Answer } from "@baton/core/protocol/request";
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { messageFor, refusalIn } from "../link/problem.ts";
import { useApp, useConnected, useWatched } from "../store/app.ts";
import { stands, takesAnswer, type Quiet } from "../store/quiet.ts";
import { useSession, useSight } from "../store/session-context.ts";
import { answeredWhere, answerGiven } from "../view/actor.ts";
import { Call } from "../view/call.tsx";
import { oneLine } from "@baton/core/text/clean";
import { Diamond } from "../view/icon.tsx";
import { RequestCard } from "../view/request.tsx";
import type { Open } from "./open-requests.ts";

/** More than so many requests of one subtask stand in one line until somebody wants to see them. */
const MOST_OF_ONE = 3;

export type Shown = Open & { closed: boolean };

/**
 * What is open, and what was answered while the pointer rested on a request: that keeps its place and its height until
 * the pointer has left, so that nothing moves under it.
 */
export function useShown(open: readonly Open[], hovered: boolean): readonly Shown[] {
  const before = useRef<readonly Shown[]>([]);
  return useMemo(() => {
    const known = new Set(open.map(({ request }) => request.id));
    const kept = hovered ? before.current.filter(({ request }) => !known.has(request.id)).map((shown) => ({ ...shown, closed: true })) : [];
    const shown = [...open.map((each): Shown => ({ ...each, closed: false })), ...kept].toSorted(
      (a, b) => a.request.openedAt - b.request.openedAt || a.nth - b.nth,
    );
    before.current = shown;
    return shown;
  }, [open, hovered]);
}

type Props = {
  shown: readonly Shown[];
  now: string | undefined;
  quiet: Quiet;
  give: (open: Open, answer: Answer) => void;
  onHover: (hovered: boolean) => void;
  onFocus: (id: string) => void;
  onHint: (hint: string) => void;
};

export function Requests({ shown, now, quiet, give, onHover, onFocus, onHint }: Props) {
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
              {...{ now, quiet, give, onHover, onFocus, onHint }}
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

function Card({ open, nth, of, now, quiet, give, onHover, onFocus, onHint }: CardProps) {
  const { request, mode, session, closed } = open;
  const { id } = request;
  const { answerDrafts } = useApp();
  const drafts = useWatched(answerDrafts);
  const connected = useConnected();
  useLayoutEffect(() => stands(quiet, id, performance.now()), [quiet, id, connected]); // a banner that comes or goes moves it
  return (
    <div onPointerEnter={() => onHover(true)} onPointerLeave={() => onHover(false)} onFocus={() => onFocus(id)}>
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

/** Gives answers, each request at most one at a time. */
export function useGive(): (open: Open, answer: Answer) => void {
  const { wishes, link, here, answerDrafts, tell } = useApp();
  const under = useRef(new Set<string>());
  return useCallback(
    ({ request }, given) => {
      const { id } = request;
      if (link.state.get().kind !== "connected") return tell("Not connected: no answer is taken now.");
      if (under.current.has(id)) return;
      const { note, rule } = answerDrafts.get()[id] ?? {};
      const answer: Answer = {
        ...given,
        ...(note === undefined ? {} : { note }),
        ...(rule && (given.choice === "session" || given.choice === "workspace") ? { rule } : {}),
      };
      under.current.add(id);
      here.add(id);
      wishes
        .answer(request, answer)
        .catch((error: unknown) => {
          here.delete(id);
          const winner = refusalIn(error)?.winner;
          tell(
            winner
              ? `Your answer came second: it was answered before ${answeredWhere(winner.by, { here: false, elsewhere: true })}, with “${winner.answer.choice ?? oneLine(winner.answer.text ?? "")}”.`
              : messageFor(error),
          );
        })
        .finally(() => under.current.delete(id));
    },
    [wishes, link, here, answerDrafts, tell],
  );
}

/** Tells when what the person looked at was answered by somebody else. */
export function useToldOfOthers(open: readonly Open[], now: string | undefined): void {
  const { here, tell } = useApp();
  const { answers } = useSession();
  const before = useRef<Open | undefined>(undefined);
  useEffect(() => {
    const was = before.current;
    before.current = open.find(({ request }) => request.id === now);
    if (!was || here.has(was.request.id) || open.some(({ request }) => request.id === was.request.id)) return;
    const seen = answers.get(was.request.id);
    if (seen)
      tell(`This was answered ${answeredWhere(seen.by, { here: false, elsewhere: true })}: ${answerGiven(seen.answer, was.request)}.`);
  }, [open, now, here, answers, tell]);
}
