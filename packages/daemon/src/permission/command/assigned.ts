import { everyNode, type Script } from "./parse.ts";

const SETTING = new Set("mapfile readarray printf getopts let unset declare local typeset export readonly eval wait".split(" "));

/** How often each name gets a value in a script, loops and `read` included; more than once where that cannot be counted. */
export type Assigned = ReadonlyMap<string, number>;

export function assignedIn(script: Script, before: Assigned = new Map()): Assigned {
  const names = new Map(before);
  const count = (name: string, times = 1) => names.set(name, (names.get(name) ?? 0) + times);
  everyNode(script, (node) => {
    if (node.type === "Assignment") count(node.name);
    if (node.type === "For" || node.type === "Select") count(node.name.value);
    const name = node.type === "Command" ? node.name?.value : undefined;
    if (node.type === "Command" && name !== undefined && (name === "read" || SETTING.has(name)))
      for (const each of node.suffix) if (each.type === "Word") count(each.value, name === "read" ? 1 : 2);
  });
  return names;
}

/** Whether a name has one value in all of the script, once it has one. */
export const isSetOnce = (name: string, assigned: Assigned): boolean => assigned.get(name) === 1;
