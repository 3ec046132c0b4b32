import { ModeLimits, type GroupName, type Mode, type OuterLimits } from "../protocol/mode.ts";
import type { Rule } from "../protocol/rule.ts";
import { matchesWildcard } from "../permission/wildcard.ts";
import { groupOf, groupsOf } from "./tool-groups.ts";

/** The groups with which a coordinator decides. Everything else is what the mode that it came from may do. */
const DECIDING: readonly GroupName[] = ["coordinator", "orchestrate"];

const Limits = ModeLimits.strip();
const known = new WeakMap<Mode, WeakMap<Mode, Mode>>();

/**
 * The coordinator in a session that came from the mode `origin` by coordination. Nobody chose the coordinator, so it uses only what
 * `origin` allows, besides switching and delegating. If `origin` is gone, it can only decide.
 */
export function limitCoordinator(coordinator: Mode, origin: Mode | undefined): Mode {
  if (!origin) return { ...coordinator, within: { groups: [...DECIDING] } };
  const made = known.get(coordinator) ?? new WeakMap<Mode, Mode>();
  known.set(coordinator, made);
  const before = made.get(origin);
  if (before) return before;
  const limited = { ...coordinator, within: { ...limitsBesideDeciding(origin), slug: origin.slug } };
  made.set(origin, limited);
  return limited;
}

function limitsBesideDeciding(mode: Mode): OuterLimits {
  const outer = beside(Limits.parse(mode));
  return mode.within ? { ...outer, within: beside(Limits.parse(mode.within)) } : outer;
}

/** These limits without those of the tools that decide. */
function beside({ subagents: _subagents, switchTargets: _targets, tools, permissions, ...limits }: ModeLimits): ModeLimits {
  const deciding = DECIDING.flatMap((name) => groupOf(name).tools);
  const free = deciding.map((action): Rule => ({ action, resource: "*", effect: "allow" }));
  return {
    ...limits,
    groups: [...limits.groups.filter((group) => !DECIDING.includes(typeof group === "string" ? group : group.name)), ...DECIDING],
    ...(tools ? { tools: { ...tools, ...(tools.allow ? { allow: [...tools.allow, ...deciding] } : {}) } } : {}),
    ...(permissions ? { permissions: [...permissions, ...free] } : {}),
  };
}

/** Whether a mode itself could delegate to another one. */
export const canDelegateTo = (mode: Mode | undefined, slug: string): boolean =>
  mode !== undefined &&
  groupsOf(mode).includes("orchestrate") &&
  (mode.subagents === undefined || mode.subagents.some((pattern) => matchesWildcard(pattern, slug)));
