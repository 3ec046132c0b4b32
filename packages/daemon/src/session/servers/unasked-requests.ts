import type { SessionEvent } from "@baton/core/protocol/event";
import type { Request } from "@baton/core/protocol/request";
import type { EffectContext } from "../effects/effect-context.ts";

/** Opens the requests that the session has not opened before. Nothing waits for their answers. */
export async function openUnasked(requests: readonly Request[], session: EffectContext): Promise<void> {
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
