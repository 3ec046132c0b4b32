import { everyNode, type Script } from "./parse.ts";

const SETTING = new Set("read mapfile readarray printf getopts let unset declare local typeset export readonly eval wait".split(" "));

/** The names that get a value anywhere in a script. A loop variable counts once it is given a value by something else, too. */
export function assignedIn(script: Script): ReadonlySet<string> {
  const names = new Set<string>();
  const loops = new Set<string>();
  everyNode(script, (node) => {
    if (node.type === "Assignment") names.add(node.name);
    if (node.type === "For" || node.type === "Select") {
      if (loops.has(node.name.value)) names.add(node.name.value);
      loops.add(node.name.value);
    }
    if (node.type === "Command" && node.name && SETTING.has(node.name.value))
      for (const each of node.suffix) if (each.type === "Word") names.add(each.value);
  });
  return names;
}
