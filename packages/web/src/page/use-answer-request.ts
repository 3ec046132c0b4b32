import { omitUndefined } from "@baton/core/text/omit-undefined";
import type { RequestAnswer } from "@baton/core/protocol/request";
import { oneLine } from "@baton/core/text/sanitize";
import { formFields, typedFields } from "@baton/core/session/form-fields";
import { useCallback, useEffect, useRef } from "react";
import { errorMessage, refusalOf } from "@baton/core/client/rpc-errors";
import { useApp } from "../store/app-context.ts";
import { useSession } from "../store/session/session-context.ts";
import { answerOrigin } from "@baton/core/text/request/answer-origin";
import { answerText, requestSummary } from "../components/request/request-titles.ts";
import type { OpenRequests } from "./open-requests.ts";

/** Sends answers, one at a time for each request. `second`: gets the requests that another client answered first, of which a notice tells. */
export function useAnswerRequest(second: Set<string>): (open: OpenRequests, answer: RequestAnswer) => void {
  const { commands, link, answeredHere, ownAnswers: all, answerDrafts, tell } = useApp();
  const pending = useRef(new Set<string>());
  return useCallback(
    ({ request, sessionId }, chosen) => {
      const { id } = request;
      if (link.state.get().kind !== "connected") return tell("Not connected. You can answer after the page has reconnected.", "connection");
      if (pending.current.has(id)) return;
      const { note, rule, fields = {} } = answerDrafts.get()[id] ?? {};
      const isFilledIn = request.kind === "form" && chosen.choice === "accept";
      const answer: RequestAnswer = {
        ...chosen,
        ...(isFilledIn ? { fields: typedFields(request.fields ?? {}, withInitial(request.fields ?? {}, fields)) } : {}),
        ...omitUndefined({ note }),
        ...(rule && (chosen.choice === "session" || chosen.choice === "workspace") ? { rule } : {}),
      };
      pending.current.add(id);
      answeredHere.add(id);
      commands
        .answer(request, answer)
        .then(() => all.set([...all.get(), { sessionId, text: `${answerText(answer, request)} by you, here: ${requestSummary(request)}` }]))
        .catch((error: unknown) => {
          answeredHere.delete(id);
          const winner = refusalOf(error)?.winner;
          if (winner) second.add(id);
          tell(
            winner
              ? `Your answer was second: the request was already answered ${answerOrigin(winner.by, ELSEWHERE)}, with “${winner.answer.choice ?? oneLine(winner.answer.text ?? "")}”.`
              : errorMessage(error),
          );
        })
        .finally(() => pending.current.delete(id));
    },
    [commands, link, answeredHere, all, answerDrafts, tell, second],
  );
}

/** The typed values, with the initial values of all other fields. */
const withInitial = (schema: Readonly<Record<string, unknown>>, typed: Readonly<Record<string, string>>): Record<string, string> => ({
  ...Object.fromEntries(formFields(schema).map(({ name, initially }) => [name, initially])),
  ...typed,
});

/** Shows a notice if another client answers the request that the user is looking at, unless it is one of those that have a notice. */
export function useAnsweredElsewhereNotice(open: readonly OpenRequests[], now: string | undefined, noticed: ReadonlySet<string>): void {
  const { answeredHere, link, tell } = useApp();
  const { answers } = useSession();
  const before = useRef<OpenRequests | undefined>(undefined);
  useEffect(() => {
    const was = before.current;
    before.current = open.find(({ request }) => request.id === now);
    if (
      !was ||
      answeredHere.has(was.request.id) ||
      noticed.has(was.request.id) ||
      open.some(({ request }) => request.id === was.request.id)
    )
      return;
    const seenAnswer = answers.get(was.request.id);
    const inThisEditor =
      link.connect !== undefined && seenAnswer?.by !== undefined && "person" in seenAnswer.by && seenAnswer.by.person === "editor";
    if (seenAnswer && !inThisEditor)
      tell(`This was answered ${answerOrigin(seenAnswer.by, ELSEWHERE)}: ${answerText(seenAnswer.answer, was.request)}.`);
  }, [open, now, answeredHere, noticed, link, answers, tell]);
}

/** For an answer that another client gave. */
const ELSEWHERE = { reader: "page", here: false, elsewhere: true } as const;
