import type { Mode } from "@baton/core/protocol/mode";
import { failed, type AskContext, type Concluded } from "./define.ts";

/** The mode that a model named, or the result that says why work cannot go on there. */
export function otherMode(slug: string, { mode, modes }: AskContext): { to: Mode } | Concluded {
  const to = modes.find((known) => known.slug === slug);
  const others = modes.filter((known) => known.slug !== mode.slug).map((known) => known.slug);
  if (!to) return failed(`There is no mode "${slug.slice(0, 100)}". The modes are: ${others.join(", ")}.`);
  if (to.slug === mode.slug) return failed(`The session is in ${slug} already. The other modes are: ${others.join(", ")}.`);
  return { to };
}
