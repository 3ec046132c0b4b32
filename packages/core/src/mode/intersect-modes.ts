import { ModeLimits, type Group, type GroupName, type Mode } from "../protocol/mode.ts";

/** A mode inside another. `lost`: groups that the other lacks; `limited`: groups that have the limits of the other as well as their own. */
export type IntersectedMode = { mode: Mode; lost: GroupName[]; limited: GroupName[] };

/**
 * The mode as a project defines it, with no more than the one that it stands in front of: what that one lacks, forbids or
 * asks about holds as well. Its texts are its own.
 */
export function intersectModes(mode: Mode, within: Mode): IntersectedMode {
  const has = new Map(within.groups.map((group) => [nameOf(group), group]));
  const shared = mode.groups.flatMap((group) => {
    const around = has.get(nameOf(group));
    return around === undefined ? [] : [{ group, around }];
  });
  const { maxSteps, experimentalFeatures, ...rest } = mode;
  const most = Math.min(maxSteps ?? Infinity, within.maxSteps ?? Infinity);
  return {
    mode: {
      ...rest,
      groups: shared.map(({ group, around }) => (typeof group === "string" ? around : group)),
      within: limitsOf(within),
      ...(most === Infinity ? {} : { maxSteps: most }),
      ...(experimentalFeatures === undefined ? {} : { experimentalFeatures: switchedOff(experimentalFeatures, within) }),
    },
    lost: mode.groups.map(nameOf).filter((name) => !has.has(name)),
    limited: shared.filter(({ group, around }) => !isSame(group, around)).map(({ group }) => nameOf(group)),
  };
}

const nameOf = (group: Group): GroupName => (typeof group === "string" ? group : group.name);

const Limits = ModeLimits.strip();
const limitsOf = (mode: Mode): ModeLimits => Limits.parse(mode);

/** Flags switch tools on, so a project keeps those that are on anyway, and may switch any off. */
const switchedOff = (wanted: Record<string, boolean>, { experimentalFeatures = {} }: Mode): Record<string, boolean> =>
  Object.fromEntries(Object.entries(wanted).filter(([name, on]) => !on || experimentalFeatures[name] === true));

/** Whether what is around a group adds no limit that the group has not itself. */
function isSame(group: Group, around: Group): boolean {
  if (typeof around === "string") return true;
  if (typeof group === "string") return false;
  const limits = ["fileRegex", "deny", "commandRegex", "reading"] as const;
  return (
    limits.every((limit) => around[limit] === undefined || around[limit] === group[limit]) && String(around.tools) === String(group.tools)
  );
}
