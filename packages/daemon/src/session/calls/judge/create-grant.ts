import { preambleRule } from "@baton/core/permission/shell-preamble";
import type { Request } from "@baton/core/protocol/request";
import type { Rule, Grant } from "@baton/core/protocol/rule";
import { reduceSession } from "@baton/core/session/reduce";
import type { SessionState } from "@baton/core/session/state";
import { resourceText, ruleText } from "@baton/core/text/rule-text";
import { checkSessionCall } from "./judge-call.ts";
import type { EffectContext } from "../../effects/effect-context.ts";

/**
 * Says why a rule that the user wrote would not allow the request it was written for, and which rule would. Undefined if it
 * would.
 */
export function validateGrant(rule: Rule, request: Request, state: SessionState, session: EffectContext): string | undefined {
  const { subject, remember } = request;
  const call = "call" in subject ? state.calls.find(({ id }) => id === subject.call) : undefined;
  if (!call || !remember) return undefined;
  const asksWith = (granted: Rule): string | undefined => {
    const grant = createGrant(granted, "session", request, state, session.services.clock.now());
    const after = reduceSession(state, { type: "grant.given", grant, by: { daemon: true }, seq: 0, at: grant.givenAt });
    const checked = checkSessionCall(call, after, session);
    return "verdict" in checked && checked.verdict.effect === "ask" ? checked.verdict.why : undefined;
  };
  const why = asksWith(rule);
  if (why === undefined || asksWith(remember) !== undefined) return undefined;
  const lead = remember.action === "command" ? preambleRule(resourceText(remember.resource)) : undefined;
  const form = lead && asksWith(lead) === undefined ? `, or ${ruleText(lead)}, after which the rest is judged by itself` : "";
  return `with this rule the same call would still ask (${why}) Baton judges each command of a text by itself, and some calls are allowed only by their exact text. Use ${ruleText(remember)}${form}.`;
}

/** The grant that an answer to this request creates. */
export const createGrant = (rule: Rule, scope: Grant["scope"], { id }: Request, { mode }: SessionState, givenAt: number): Grant => ({
  id: `g-${id}`,
  rule,
  scope,
  mode,
  givenAt,
  requestId: id,
});
