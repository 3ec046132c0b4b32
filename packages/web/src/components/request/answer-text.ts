import type { Answer, Request } from "@baton/core/protocol/request";
import { oneLine } from "@baton/core/text/sanitize";

const GIVEN: Record<string, string> = {
  once: "Allowed once",
  session: "Allowed for this session",
  workspace: "Allowed for this workspace",
  deny: "Refused",
};

/** What was answered, in a few words. */
export function answerText({ choice, text }: Answer, { choices }: Pick<Request, "choices">): string {
  const label = choices.find(({ id }) => id === choice)?.label;
  return GIVEN[choice ?? ""] ?? `Answered “${oneLine(label ?? text ?? "")}”`;
}
