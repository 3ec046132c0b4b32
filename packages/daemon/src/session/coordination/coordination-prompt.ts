import { userSelectable } from "@baton/core/mode/user-selectable";
import { groupOf, toolGroups, groupsOf } from "@baton/core/mode/tool-groups";
import type { GroupName, Mode } from "@baton/core/protocol/mode";
import { COORDINATOR_MODE } from "@baton/core/session/leave-coordinator-mode";

/** The coordination that the agent can use: the tools that its mode lacks, and those that each reachable mode adds. */
export type MissingAbilities = { lacks: readonly string[]; adds: readonly string[] };

const PLAN = "plan";

/** Groups about modes themselves, which no work needs. */
const ABOUT_MODES: ReadonlySet<GroupName> = new Set(["coordinator", "plan", "configuration"]);

const work = toolGroups.map(({ name }) => name).filter((name) => !ABOUT_MODES.has(name));

/**
 * Describes coordination for the system prompt. It describes modes by their abilities and never names them, because an agent
 * does not choose its mode. Undefined if coordination cannot help: in the coordinator, or if no mode offers more.
 */
export function missingAbilities(mode: Mode, all: readonly Mode[]): MissingAbilities | undefined {
  if (mode.slug === COORDINATOR_MODE || !all.some(({ slug }) => slug === COORDINATOR_MODE)) return undefined;
  const has = groupsOf(mode);
  const limited = mode.groups.flatMap((group) => (typeof group === "string" ? [] : [group.name]));
  // In plan, exit_plan leads beyond the limits of a group, and the mode's own instructions explain it.
  const lacks = work.filter((name) => !has.includes(name) || (mode.slug !== PLAN && limited.includes(name)));
  const gained = all.filter(userSelectable).map((to) => lacks.filter((name) => to.groups.includes(name)));
  const adds = [...new Set(gained.filter((names) => names.length > 0).map((names) => names.map(describe).join(" ")))];
  if (adds.length === 0) return undefined;
  return { lacks: lacks.map((name) => `${describe(name)}${limited.includes(name) ? ` (${groupLimit(mode, name)})` : ""}`), adds };
}

const describe = (name: GroupName): string => groupOf(name).description;

function groupLimit(mode: Mode, name: GroupName): string {
  const group = mode.groups.find((each) => typeof each !== "string" && each.name === name);
  const description = typeof group === "object" ? group.description : undefined;
  return `this mode does so within limits${description ? `: ${description}` : ""}`;
}
