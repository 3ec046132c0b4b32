import path from "node:path";
import type { ScriptFile } from "../programs/program-types.ts";
import type { WrittenText } from "../programs/printed-text.ts";
import type { Word } from "../words/word.ts";
import type { JudgeOptions } from "./walker-types.ts";
import { resolvePath } from "../files/physical-path.ts";

/**
 * Returns shell text that gives the code of a script to Python or Node as a here-document: `python3 - a <<'E'` for `python3 t.py a`. Undefined unless
 * the file certainly has the text that a redirect has written into it. `files`: the script, by all its paths.
 */
export function writtenScript(
  { base, rest }: { base: string; rest: readonly Word[] },
  code: WrittenText,
  files: readonly string[],
  { context, findings }: JudgeOptions,
): { text: string; script: ScriptFile } | undefined {
  const { computed, edited, origins, links, filled, brings, later, made } = findings;
  const [cwd = "", ...others] = context.cwds;
  const [name = "", ...given] = rest.map(({ text }) => text);
  const file = resolvePath(cwd, name);
  const isCall = /^(python3?|node)$/.test(base) && PLAIN.test(name) && !name.startsWith("-") && given.every((each) => PLAIN.test(each));
  const isPlain = others.length === 0 && context.settings.length === 0 && context.isRepeated !== true;
  const isAlone = links.size === 0 && filled.size === 0 && later.length === 0 && !brings;
  const isKnown = code.isKnown && code.isMovable !== true && code.text.endsWith("\n") && !code.text.split("\n").includes(END);
  const isChanged = files.some((each) => computed.has(each) || edited.has(each) || origins.has(each));
  if (!isCall || !isPlain || !isAlone || !isKnown || isChanged || !files.includes(file) || hasTwin(file, made)) return undefined;
  return { text: `${[base, "-", ...given].join(" ")} <<'${END}'\n${code.text}${END}\n`, script: { name, file } };
}

/** A word that the shell takes as it is. */
const PLAIN = /^[\w./-][\w./:=,@+-]*$/;
const END = "END_OF_SCRIPT";

/** True if the text makes a file whose path differs from that of the script, or from its folder, only in upper and lower case. */
function hasTwin(file: string, made: ReadonlySet<string>): boolean {
  const isTwin = (one: string, other: string) => one !== other && one.toLowerCase() === other.toLowerCase();
  return [...made].some((each) => isTwin(each, file) || isTwin(path.dirname(each), path.dirname(file)));
}
