import { MAX_SHARED_VARIABLES_LENGTH, type SharedTaskVariables } from "@baton/core/protocol/shared-task-variables";

/** `values` apply. `conflicts` names those that another task changed since this one started; this task's values win. */
type MergedVariables = { values: SharedTaskVariables; conflicts: string[]; tooLong: boolean };

/**
 * Merges the variables that a task returns (`final`) into its parent's (`now`). The task started with `initial`. Merges nothing
 * if the result would be too long.
 */
export function mergeVariables(now: SharedTaskVariables, initial: SharedTaskVariables, final: SharedTaskVariables): MergedVariables {
  const tooLong = JSON.stringify({ ...now, ...final }).length > MAX_SHARED_VARIABLES_LENGTH;
  const changed = Object.entries(final).filter(([name, value]) => !same(value, now[name]));
  const conflicts = changed.map(([name]) => name).filter((name) => Object.hasOwn(now, name) && !same(now[name], initial[name]));
  return tooLong ? { values: {}, conflicts: [], tooLong } : { values: Object.fromEntries(changed), conflicts, tooLong };
}

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
