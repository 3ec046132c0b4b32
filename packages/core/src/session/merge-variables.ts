import { MAX_SHARED, type SharedVariables } from "../protocol/shared-variables.ts";

/** `values` are what counts; `conflicts` were changed by another task since this one began, and are now as this one says. */
export type MergedVariables = { values: SharedVariables; conflicts: string[]; tooLong: boolean };

/**
 * What a task hands over (`handed`), seen from its parent, which has `now`; the task itself began with `given`. Nothing is
 * taken over when all together would be too long.
 */
export function mergeVariables(now: SharedVariables, given: SharedVariables, handed: SharedVariables): MergedVariables {
  const tooLong = JSON.stringify({ ...now, ...handed }).length > MAX_SHARED;
  const changed = Object.entries(handed).filter(([name, value]) => !same(value, now[name]));
  const conflicts = changed.map(([name]) => name).filter((name) => Object.hasOwn(now, name) && !same(now[name], given[name]));
  return tooLong ? { values: {}, conflicts: [], tooLong } : { values: Object.fromEntries(changed), conflicts, tooLong };
}

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
