import { requestIdOf } from "@baton/core/protocol/ids";
import type { Choice, Request } from "@baton/core/protocol/request";
import type { View } from "@baton/core/protocol/view";
import type { SessionState } from "@baton/core/session/state";
import type { EffectContext } from "../effects/effect-context.ts";

/**
 * A question about contents that the user approves as a whole, such as the hooks of a file. The answer holds until they change. `name`: its
 * part of the id of the request. `hash`: the hash of the contents.
 */
type ContentQuestion = Pick<Request, "subject" | "header" | "text"> & {
  name: string;
  hash: string;
  view?: View | undefined;
  allow: Omit<Choice, "id">;
  deny: Omit<Choice, "id">;
};

/** The request for one approval of contents. */
export function contentApproval(
  { name, hash, view, allow, deny, ...question }: ContentQuestion,
  { workspace }: Pick<SessionState, "workspace">,
  { id, services }: Pick<EffectContext, "id" | "services">,
): Request {
  return {
    ...question,
    id: requestIdOf(id, `${name}.${hash.slice(0, 16)}`),
    kind: "approval",
    folder: workspace,
    choices: [
      { id: "workspace", ...allow },
      { id: "deny", ...deny },
    ],
    freeText: false,
    hash,
    openedAt: services.clock.now(),
    ...(view ? { view } : {}),
  };
}
