import { omitUndefined } from "@baton/core/text/omit-undefined";
import { RequestId } from "@baton/core/protocol/ids";
import { RequestAnswer, type Request } from "@baton/core/protocol/request";
import { jsonOrText } from "@baton/core/text/json";
import { describeIssues } from "@baton/core/client/describe-issues";
import { findRequest } from "../../connection/find-by-id.ts";
import { printJson } from "../output.ts";
import { usageError } from "../../connection/exit-codes.ts";
import { withConnection } from "../../connection/daemon-connection.ts";

type AnswerOptions = { text?: string; fields?: string; note?: string; rule?: string; hash?: string; json?: boolean };

const EXAMPLES = {
  rule: '{"action":"command","resource":"git status *","effect":"allow"}',
  fields: '{"name":"value"}',
};

/** Answers an open request from the command line. */
export async function answer(reference: string, choice: string | undefined, options: AnswerOptions): Promise<void> {
  const { text, note, hash, json = false } = options;
  const partial: RequestAnswer = {
    ...omitUndefined({ text, note, hash }),
    ...(options.fields === undefined ? {} : parsePart("fields", options.fields)),
    ...(options.rule === undefined ? {} : parsePart("rule", options.rule)),
  };
  await withConnection(async ({ api }) => {
    const found = await findRequest(api, reference);
    const chosen = "choices" in found && choice !== undefined ? choiceId(found, choice) : choice;
    const full: RequestAnswer = { ...partial, ...omitUndefined({ choice: chosen }) };
    const { success, data: requestId } = RequestId.safeParse(found.id);
    if (!success) throw usageError(`There is no request ${reference}. \`baton inbox\` lists the open requests.`);
    const { seq } = await api.request.answer.mutate({ requestId, answer: full });
    if (json) printJson({ requestId, answer: full, seq });
    else process.stdout.write(`Answered ${requestId}: ${chosen ?? full.text ?? "fields"}.\n`);
  });
}

/** Accepts the number of a choice instead of its id. */
const choiceId = ({ choices }: Pick<Request, "choices">, choice: string): string =>
  choices.some(({ id }) => id === choice) ? choice : (choices[Number(choice) - 1]?.id ?? choice);

/** Parses a part of an answer that is given as JSON. Throws a usage error if it is invalid. */
function parsePart(part: "fields" | "rule", text: string): Pick<RequestAnswer, "fields" | "rule"> {
  const value = jsonOrText(text); // the schema rejects a text
  const parsed = RequestAnswer.shape[part].safeParse(value);
  if (parsed.success) return { [part]: parsed.data };
  throw usageError(`--${part} is invalid: ${describeIssues(parsed.error, value)}. Example: ${EXAMPLES[part]}`);
}
