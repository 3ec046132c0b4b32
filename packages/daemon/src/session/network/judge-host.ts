import { judge } from "@baton/core/permission/judge";
import type { Verdict } from "@baton/core/protocol/rule";
import type { SessionState } from "@baton/core/session/state";
import type { EffectContext } from "../effect-context.ts";

/**
 * Judges whether commands of the session may reach a host: by rules about `network`, and by rules that deny fetching from it. The limits of a
 * mode for fetching are not limits for commands. `host` has its port unless it is one of the web.
 */
export function judgeHost(host: string, state: SessionState, { services }: EffectContext): Verdict {
  const { workspace, grants, ceilings, roots } = state;
  const mode = services.modes(workspace).get(state.step?.mode ?? state.mode);
  if (!mode) return { effect: "deny", rule: null, accesses: [], why: "The mode of the session is not known." };
  const rules = services.permissions.rules({ workspace, mode, grants, ceilings, roots });
  const gated = services.permissions.gate({ action: "network", resource: host }, workspace);
  if ("refused" in gated) return { effect: "deny", rule: null, accesses: [], why: gated.refused };
  const verdict = judge(rules, "network", gated);
  const fetching = ["https", "http"].map((scheme) => judge(rules, "fetch", [{ action: "fetch", resource: `${scheme}://${host}/` }]));
  const denied = fetching.find(
    ({ effect, rule }) => effect === "deny" && rule && rule.layer !== "mode" && !rule.source.startsWith("mode "),
  );
  return verdict.effect === "deny" ? verdict : (denied ?? verdict);
}
