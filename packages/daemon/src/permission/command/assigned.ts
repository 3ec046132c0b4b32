import { everyNode, type Command, type Script } from "./parse.ts";

const SETTING = new Set("mapfile readarray printf getopts let unset declare local typeset export readonly eval wait".split(" "));

/** How often each name gets a value in a script, loops and `read` included; more than once where that cannot be counted. */
export type Assigned = ReadonlyMap<string, number>;

export function assignedIn(script: Script, before: Assigned = new Map()): Assigned {
  const names = new Map(before);
  const count = (name: string, times = 1) => names.set(name, (names.get(name) ?? 0) + times);
  everyNode(script, (node) => {
    if (node.type === "Assignment") count(node.name);
    if (node.type === "For" || node.type === "Select") count(node.name.value);
    if (node.type === "Command") for (const [name, times] of setBy(node)) count(name, times);
  });
  return names;
}

/** The names that `read`, `export` and their like give a value to, also behind `command` and `builtin`; `*` where they are not plain. */
function setBy({ name, suffix }: Command): [name: string, times: number][] {
  const words = [...(name ? [name] : []), ...suffix.filter((each) => each.type === "Word")];
  const at = words.findIndex(({ value }) => !/^(command|builtin|-p|--)$/.test(value));
  const program = words[at]?.value ?? "";
  if (program !== "read" && !SETTING.has(program)) return [];
  const targets = words.slice(at + 1).flatMap(({ value, parts }): [string, number][] => {
    const [target = ""] = value.split("=");
    if (parts === undefined && (value === "" || /^[-+]/.test(value))) return [];
    const isName = /^[A-Za-z_]\w*$/.test(target) && !(parts && /[$`{]/.test(target));
    return [[isName ? target : ANY, program === "read" ? 1 : 2]];
  });
  return VALUES.has(program) ? targets.filter(([target]) => target !== ANY) : targets;
}

/** Programs whose words are mostly values. */
const VALUES = new Set(["printf", "wait", "let", "eval"]);
const ANY = "*";

/** Whether a name has one value in all of the script, once it has one. */
export const isSetOnce = (name: string, assigned: Assigned): boolean => assigned.get(name) === 1 && !assigned.has(ANY);
