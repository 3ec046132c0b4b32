import { RequestId } from "@baton/core/protocol/ids";
import { Answer, type Request } from "@baton/core/protocol/request";
import { insist, newCommandId } from "@baton/daemon/client";
import * as z from "zod";
import { printJson } from "./output.ts";
import { usage } from "./stop.ts";
import { withLink } from "./with-link.ts";

export type AnswerOptions = { text?: string; fields?: string; note?: string; rule?: string; hash?: string; json?: boolean };

/** Answers an open request from the command line. */
export async function answer(request: string, choice: string | undefined, options: AnswerOptions): Promise<void> {
  const { text, note, hash, json = false } = options;
  const given = Answer.safeParse({
    choice,
    text,
    note,
    hash,
    ...(options.fields === undefined ? {} : { fields: parsed("--fields", options.fields) }),
    ...(options.rule === undefined ? {} : { rule: parsed("--rule", options.rule) }),
  });
  if (!given.success) throw usage(`The answer does not fit: ${z.prettifyError(given.error)}`);
  await withLink(async ({ api }) => {
    const commandId = newCommandId();
    const known = (await api.request.list.query()).find(({ id }) => id === request);
    const chosen = known && choice !== undefined ? byNumber(known, choice) : choice;
    const full: Answer = { ...given.data, ...(chosen === undefined ? {} : { choice: chosen }) };
    const id = RequestId.safeParse(request);
    if (!id.success) throw usage(`There is no request ${request}. \`baton inbox\` lists the open ones.`);
    const { seq } = await insist(() => api.request.answer.mutate({ commandId, requestId: id.data, answer: full }));
    if (json) printJson({ requestId: request, answer: full, seq });
    else process.stdout.write(`Answered ${request}: ${chosen ?? full.text ?? "fields"}.\n`);
  });
}

/** Persons may give the digit that stands before a choice. */
const byNumber = ({ choices }: Pick<Request, "choices">, choice: string): string =>
  choices.some(({ id }) => id === choice) ? choice : (choices[Number(choice) - 1]?.id ?? choice);

function parsed(option: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw usage(`${option} has to be JSON, such as {"action":"command","resource":"git status *","effect":"allow"}.`);
  }
}
