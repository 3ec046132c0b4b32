import { omitUndefined } from "@baton/core/text/omit-undefined";
import type { SessionEvent } from "@baton/core/protocol/event";
import { requestIdOf } from "@baton/core/protocol/ids";
import type { RequestChoice, Request } from "@baton/core/protocol/request";
import type { View } from "@baton/core/protocol/tool-view";
import type { SessionState } from "@baton/core/session/state";
import type { EffectContext } from "../effects/effect-context.ts";

/** A question about contents that the user approves as a whole, such as the hooks of a file. `hash`: the hash of the contents. */
type ContentQuestion = Pick<Request, "header" | "text"> & { hash: string; view?: View | undefined };

/** `name`: its part of the id of the request. */
type ContentSubject = Pick<Request, "subject"> & { name: string; allow: Omit<RequestChoice, "id">; deny: Omit<RequestChoice, "id"> };

/** The request for one approval of contents. The answer holds until they change. */
export function contentApproval(
  { header, text, hash, view }: ContentQuestion,
  { name, subject, allow, deny }: ContentSubject,
  { workspace }: Pick<SessionState, "workspace">,
  { id, services }: Pick<EffectContext, "id" | "services">,
): Request {
  return {
    subject,
    header,
    text,
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
    ...omitUndefined({ view }),
  };
}

/** Opens the requests that the session has not opened before. Nothing waits for their answers. */
export async function openNewRequests(requests: readonly Request[], session: EffectContext): Promise<void> {
  const { servers, closed } = session.state;
  const known = new Set([...servers.map(({ request }) => request.id), ...closed.map(({ id }) => id)]);
  const events = requests.filter(({ id }) => !known.has(id)).map((request): SessionEvent => ({ type: "request.opened", request }));
  if (events.length > 0) await session.note(events);
}

/** Withdraws open requests whose question is not asked anymore. `asked`: the hashes of the questions that still are. */
export const withdrawUnasked = (open: readonly Request[], asked: readonly string[]): SessionEvent[] =>
  open
    .filter(({ hash }) => hash === undefined || !asked.includes(hash))
    .map(({ id }) => ({ type: "request.closed", requestId: id, reason: "withdrawn" }));
