import path from "node:path";
import { isDeepStrictEqual } from "node:util";
import { omitUndefined } from "@baton/core/text/omit-undefined";
import { judge } from "@baton/core/permission/judge";
import type { Effect, SourcedRule, Verdict } from "@baton/core/protocol/rule";
import type { SessionState } from "@baton/core/session/state";
import type { BeforeFileChange } from "../../../system/files/files.ts";
import type { Ports } from "../../../system/system-ports.ts";
import { isContained } from "../judge/judge-sandbox.ts";
import { modeInForce, modeOfStep } from "../../mode-of-step.ts";
import type { SessionDependencies } from "../../session-dependencies.ts";

/** The system ports of one call of a tool, limited to what its verdict covers. */
export function callPorts(
  verdict: Verdict | undefined,
  state: Pick<SessionState, "mode" | "workspace" | "grants" | "ceilings" | "roots" | "step" | "returnPoints">,
  services: Pick<SessionDependencies, "modes" | "permissions" | "tools">,
  keep?: BeforeFileChange,
  tool = "read",
): Ports {
  const { workspace, grants, ceilings, roots } = state;
  const mode = modeInForce(state, services);
  const rules = mode && services.permissions.rules({ workspace, mode, grants, ceilings, roots });
  const effectOf = (action: string, resource: string, floor?: SourcedRule) =>
    rules ? judge(rules, action, [{ action, resource, ...omitUndefined({ floor }) }]).effect : "deny";
  // The user may have approved the call itself, so only denies of its tool and of folders outside of the workspace count for its results.
  const isDenied = (resource: string) => {
    const outside = path.isAbsolute(resource) ? [{ action: "external_directory", resource: path.dirname(resource) }] : [];
    return rules !== undefined && judge(rules, tool, [...outside, { action: "read", resource }]).effect === "deny";
  };
  /** The effect of the rules on an address to which a call is redirected. A rule that asks about it by name was not answered yet. */
  const mayFetch = (resource: string): Effect => {
    if (!rules) return "deny";
    const { effect, rule } = judge(rules, tool, [{ action: "fetch", resource }]);
    const isAnswered = (asking: SourcedRule) => verdict?.accesses.some((access) => isDeepStrictEqual(access.rule, asking)) === true;
    return effect === "ask" && rule && rule.resource !== "*" && !isAnswered(rule) ? "deny" : effect;
  };
  return services.tools.ports({
    workspace,
    mode: modeOfStep(state),
    roots,
    judged: verdict?.accesses ?? [],
    mayRead: (resource, floor) => effectOf("read", resource, floor()) === "allow" && !isDenied(resource),
    mayFetch,
    ...omitUndefined({ keep }),
    ...(rules && isContained(verdict) ? { contained: rules } : {}),
  });
}
