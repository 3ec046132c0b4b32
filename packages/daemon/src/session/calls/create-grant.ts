import type { Request } from "@baton/core/protocol/request";
import type { Grant, Rule } from "@baton/core/protocol/rule";
import type { SessionState } from "@baton/core/session/state";

/** The grant that an answer to this request gives. */
export const createGrant = (rule: Rule, scope: Grant["scope"], { id }: Request, { mode }: SessionState, givenAt: number): Grant => ({
  id: `g-${id}`,
  rule,
  scope,
  mode,
  givenAt,
  requestId: id,
});
