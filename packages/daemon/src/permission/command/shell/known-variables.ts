import { isNumber, isSetOnce } from "./assigned-variables.ts";
import { knownOutput } from "./known-output.ts";
import type { CompoundList, PipelineNode } from "./parse.ts";
import type { Scene } from "./shell-context.ts";
import { expand } from "../files/path-accesses.ts";
import { ownVariable } from "./harmless-variables.ts";
import { literal, readWord, type Reading } from "./word.ts";

/** What is sure of variables after a command: `name=text` tells it, where nothing else gives the name a value. */
export function boundAfter(node: PipelineNode, { bound, assigned, ...scene }: Scene): Scene["bound"] {
  if (node.type !== "Command" || node.name) return bound;
  const after = new Map(bound);
  for (const each of node.prefix) {
    if (each.type !== "Assignment" || each.index !== undefined || each.append || each.value.type !== "Word") continue;
    const [word, ...more] = readWord(each.value, readingIn({ ...scene, bound, assigned }));
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

/** How words are read at this point of a script: with what is certain of variables, and of what substitutions print. */
export function readingIn(scene: Scene, doubt: Reading["doubt"] = ignore): Reading {
  const isSplit = (pattern: string) => expand(pattern, scene.cwds)?.some((name) => /[\s*?[\]]/.test(name) && name !== pattern) !== false;
  const reading = { bound: withFolder(scene), isNumber: (name: string) => isNumber(name, scene.assigned), isSplit, doubt };
  return { ...reading, inner: (script) => script && knownOutput(script, scene, reading) };
}

const ignore = (): void => {};

/** `$PWD` is sure where only one folder is possible. */
function withFolder({ bound, cwds, assigned }: Pick<Scene, "bound" | "cwds" | "assigned">): Reading["bound"] {
  const [cwd, ...more] = cwds;
  const isSure = cwd !== undefined && more.length === 0 && !assigned.times.has("PWD");
  return { get: (name) => (name === "PWD" && isSure ? literal(cwd) : bound.get(name)) };
}
