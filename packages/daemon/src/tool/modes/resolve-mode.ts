import type { Mode } from "@baton/core/protocol/mode";
import { failed, type AskContext, type QuestionResult } from "../tool-types.ts";

/** The mode that a model named, or a result that explains why work cannot continue there. */
export function resolveOtherMode(slug: string, { mode, modes }: AskContext): { to: Mode } | QuestionResult {
  const to = modes.find((known) => known.slug === slug);
  const others = modes.filter(({ slug: known, kind }) => known !== mode.slug && kind !== "subagent").map((known) => known.slug);
  if (!to) return failed(`There is no mode "${slug.slice(0, 100)}". The modes are: ${others.join(", ")}.`);
  if (to.slug === mode.slug) return failed(`The session is already in ${slug}. The other modes are: ${others.join(", ")}.`);
  if (to.kind === "subagent")
    return failed(`The mode ${slug} is only for subtasks. Delegate to it with new_task. The other modes are: ${others.join(", ")}.`);
  return { to };
}
