import { ModeLimits, type Group, type GroupName, type Mode } from "../protocol/mode.ts";

/** A mode limited by another one. `lost`: groups that the other mode lacks. `limited`: groups that take over limits of the other mode. */
export type LimitedProjectMode = { mode: Mode; lost: GroupName[]; limited: GroupName[] };

/**
 * Limits a project's mode to the mode that it overrides: whatever that mode lacks, denies or asks about applies as well. The texts are
 * those of the project's mode.
 */
export function limitProjectMode(mode: Mode, within: Mode): LimitedProjectMode {
  const outerGroups = new Map(within.groups.map((group) => [nameOf(group), group]));
  const shared = mode.groups.flatMap((group) => {
    const outer = outerGroups.get(nameOf(group));
    return outer === undefined ? [] : [{ group, outer }];
  });
  const { maxSteps: ownSteps, experimentalFeatures, ...rest } = mode;
  const maxSteps = Math.min(ownSteps ?? Infinity, within.maxSteps ?? Infinity);
  return {
    mode: {
      ...rest,
      groups: shared.map(({ group, outer }) => (typeof group === "string" ? outer : group)),
      within: limitsOf(within),
      ...(maxSteps === Infinity ? {} : { maxSteps }),
      ...(experimentalFeatures === undefined ? {} : { experimentalFeatures: restrictFlags(experimentalFeatures, within) }),
    },
    lost: mode.groups.map(nameOf).filter((name) => !outerGroups.has(name)),
    limited: shared.filter(({ group, outer }) => !addsNoLimit(group, outer)).map(({ group }) => nameOf(group)),
  };
}

const nameOf = (group: Group): GroupName => (typeof group === "string" ? group : group.name);

const Limits = ModeLimits.strip();
const limitsOf = (mode: Mode): ModeLimits => Limits.parse(mode);

/** Flags enable tools, so a project's mode keeps only those that are already on. It may switch any flag off. */
const restrictFlags = (flags: Record<string, boolean>, { experimentalFeatures = {} }: Mode): Record<string, boolean> =>
  Object.fromEntries(Object.entries(flags).filter(([name, on]) => !on || experimentalFeatures[name] === true));

/** True if the outer mode limits this group no further. */
function addsNoLimit(group: Group, outer: Group): boolean {
  if (typeof outer === "string") return true;
  if (typeof group === "string") return false;
  const limits = ["fileRegex", "deny", "commandRegex", "reading"] as const;
  return (
    limits.every((limit) => outer[limit] === undefined || outer[limit] === group[limit]) && String(outer.tools) === String(group.tools)
  );
}
