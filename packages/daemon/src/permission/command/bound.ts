import { isSetOnce } from "./assigned.ts";
import type { CompoundList, PipelineNode, Script } from "./parse.ts";
import { folderToldBy } from "./printed.ts";
import type { Scene } from "./scene.ts";
import { ownVariable } from "./variable.ts";
import { literal, readWord, type Reading } from "./word.ts";

/** What is sure of variables after a command: `name=text` tells it, where nothing else gives the name a value. */
export function boundAfter(node: PipelineNode, { bound, assigned, ...scene }: Scene): Scene["bound"] {
  if (node.type !== "Command" || node.name) return bound;
  const after = new Map(bound);
  for (const each of node.prefix) {
    if (each.type !== "Assignment" || each.index !== undefined || each.append || each.value.type !== "Word") continue;
    const inner = (script: Script | undefined) => script && folderToldBy(script, { ...scene, bound, assigned });
    const [word, ...more] = readWord(each.value, { bound: withFolder({ ...scene, bound, assigned }), inner, doubt: () => {} });
    if (word?.kind === "literal" && more.length === 0 && ownVariable(each.name) && isSetOnce(each.name, assigned))
      after.set(each.name, word);
  }
  return after;
}

/** The variable of `while read -r name`. */
export function lineReadBy({ commands: [only, ...more] }: CompoundList): string | undefined {
  const command = only?.command;
  if (more.length > 0 || command?.type !== "Command") return undefined;
  const [, name] =
    /^read(?: -r)? ([a-z]\w*)$/.exec(
      [command.name, ...command.suffix].map((each) => (each?.type === "Word" ? each.text : "$")).join(" "),
    ) ?? [];
  return name;
}

/** `$PWD` is sure where only one folder is possible. */
export function withFolder({ bound, cwds, assigned }: Pick<Scene, "bound" | "cwds" | "assigned">): Reading["bound"] {
  const [cwd, ...more] = cwds;
  const isSure = cwd !== undefined && more.length === 0 && !assigned.has("PWD");
  return { get: (name) => (name === "PWD" && isSure ? literal(cwd) : bound.get(name)) };
}
