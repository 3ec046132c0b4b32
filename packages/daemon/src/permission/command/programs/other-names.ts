import path from "node:path";
import type { ProgramEffects } from "./program-types.ts";
import { classifyProgram, isKnownProgram } from "./classify-program.ts";
import { isShell } from "./shell-program.ts";
import { literal, textOfAll, type Word } from "../words/word.ts";

/**
 * Returns other texts of a call that rules may match. `isByName`: the call runs the program of that name, not a file of the
 * workspace. `input`: the text of its input, if that is known. Returns undefined if the call has too many words to compare with rules.
 */
export function otherTexts(
  base: string,
  words: readonly Word[],
  effects: ProgramEffects,
  isByName: boolean,
  input = "",
): string[] | undefined {
  const isUnknown = !isByName || !isKnownProgram(base) || RUNS_ELSEWHERE.has(base) || runsFile(base, words);
  const isOpaque = isUnknown || handsOn(base, words, effects);
  const count = words.reduce((sum, { text }) => sum + text.split(/\s+/).length, 0);
  const lines = isUnknown || isShell(base) ? input.split("\n") : [];
  if ((isOpaque && count > MAX_POSITIONS) || lines.some((line) => line.split(/\s+/).length > MAX_POSITIONS)) return undefined;
  const others = [...(effects.plainly ? [effects.plainly] : []), ...(effects.like ?? [])];
  const inside = [
    ...(isOpaque ? [...textsIn(words), ...textsOfEntry(words)] : []),
    ...lines.flatMap((line) => commandsIn(line.replaceAll(/["'\\]/g, ""))),
  ];
  return [...others.map(textOfAll), ...otherNames(base, words), ...inside.filter((text) => text !== "")];
}

/** True if a known program gives its last arguments to code of the project, as `go run x -- git push` does. */
const handsOn = (base: string, words: readonly Word[], { reads, onlyEdits }: ProgramEffects): boolean =>
  !reads &&
  !onlyEdits &&
  base !== "git" &&
  words.some(({ text }, i) => (text === "--" ? i < words.length - 1 : i < 3 && /^(run|run-script|start|test|exec|x|dlx|task)$/.test(text)));

/** True if an interpreter runs a file, which may be another program: `node /usr/bin/npm publish`. */
const runsFile = (base: string, words: readonly Word[]): boolean =>
  /^(node|python|ruby|perl|php|bun|deno|lua|java)[\d.]*$/.test(base) && words[0]?.text.startsWith("-") === false;

/** Returns the call under other names of the program. A part of git is also a program (`git-NAME`), and a version has its own name. */
function otherNames(base: string, words: readonly Word[]): string[] {
  const known = /^git-(.+)$/.exec(base)?.[1];
  const name = known === undefined ? /^(python|pip|node|ruby|perl|php)[\d.]+$/.exec(base)?.[1] : `git ${known}`;
  return name === undefined ? [] : [textOfAll([literal(name), ...words])];
}

/** Programs that run a command from their arguments on another machine or in a container. */
const RUNS_ELSEWHERE = new Set("docker docker-compose podman kubectl ssh mosh nix doppler".split(" "));

const MAX_POSITIONS = 200;

/**
 * Returns the texts that start at each word, and the commands inside words. An unknown program may run any of them, so deny
 * rules must apply to each.
 */
function textsIn(words: readonly Word[]): string[] {
  const positions = words.flatMap((word, i) => (word.text.startsWith("-") ? [] : [words.slice(i)]));
  const plain = positions.flatMap((each) => [...namesOf(each), ...plainText(each), textOfAll(each.filter(isNoDash)), each[0]?.text ?? ""]);
  const scripts = words.flatMap(({ text }) =>
    /\s/.test(text)
      ? [...new Set([text.replace(/^[\w-]*[=:]/, ""), text.replace(/^-\w/, "")])].flatMap((each) =>
          commandsIn(each.replaceAll(/["'\\]/g, "")),
        )
      : [],
  );
  return [...new Set([...plain, ...scripts])].filter((text) => text !== "");
}

/** Returns the calls of the program that `--entrypoint` names. Its arguments come behind the image, and so at any later place. */
function textsOfEntry(words: readonly Word[]): string[] {
  const at = words.findIndex(({ text }) => /^--entrypoint(=|$)/.test(text));
  const entry = words[at]?.text.split("=")[1] ?? words[at + 1]?.text;
  return at < 0 || entry === undefined ? [] : words.flatMap((_, i) => (i > at ? namesOf([literal(entry), ...words.slice(i)]) : []));
}

/** Returns the text of a call, also with the name of the program instead of its path. */
const namesOf = ([first, ...rest]: readonly Word[]): string[] =>
  first === undefined ? [] : [...new Set([first.text, path.posix.basename(first.text)])].map((name) => textOfAll([literal(name), ...rest]));

const isNoDash = ({ text }: Word): boolean => text !== "--";

/** Returns `git push` for `git -C x push`, so that rules for it match. */
function plainText([first, ...words]: readonly Word[]): string[] {
  if (first === undefined || path.posix.basename(first.text) !== "git") return [];
  const { plainly } = classifyProgram({ name: "git", words, fed: "nothing", upstream: [], incoming: "none" });
  const global = words.findIndex(({ text }, i) => !text.startsWith("-") && !/^-[cC]$/.test(words[i - 1]?.text ?? ""));
  return [...(plainly ? [textOfAll(plainly)] : []), textOfAll([literal("git"), ...words.slice(Math.max(global, 0))])];
}

/** Returns roughly the commands of a text. Splits it at separators and removes wrappers and variable assignments at the start. */
const commandsIn = (text: string): string[] =>
  text
    .split(/[;&|\n(){}`]+/)
    .map((each) => each.trim().replace(/^((env|command|exec|nohup|time|sudo)\s+|[A-Za-z_]\w*=\S*\s+)+/, ""))
    .flatMap((each) => {
      const words = each.split(/\s+/).map(literal);
      return words.flatMap((_, i) => [...namesOf(words.slice(i)), ...plainText(words.slice(i))]);
    });
