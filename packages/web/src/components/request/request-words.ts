import type { Request } from "@baton/core/protocol/request";
import { clean, exact } from "@baton/core/text/sanitize";
import { capital } from "../text/format.ts";

/** What the words of a request are made of. */
export type Worded = Pick<Request, "kind" | "text" | "header" | "subject">;

/** Whether it is about a call that would act. */
export const isApproval = ({ kind, subject }: Pick<Request, "kind" | "subject">): boolean => kind === "approval" && "call" in subject;

export const titleOf = ({ kind, text, header, subject }: Worded): string =>
  clean(kind === "approval" ? header : text).trim() || ("call" in subject ? "A question" : "Go on?");

/** What it wants in a line: the verb and the object of a call, else its title. */
export const shortOf = (request: Worded): string => (isApproval(request) ? capital(exact(request.text)) : titleOf(request));

/** What kind of question it is, where that says more than its title. */
export function kindOf(request: Worded): string | undefined {
  const header = clean(request.header).trim();
  return request.kind === "approval" || header === "" || header === "Question" || header === titleOf(request) ? undefined : header;
}
