import { readFileSync, statSync } from "node:fs";
import path from "node:path";
import type { NamedPath } from "../programs/program-types.ts";
import { parseArguments } from "../programs/parse-arguments.ts";
import { writers } from "../tables/writers.ts";
import { literal, type Word } from "../words/word.ts";

const MAX_BYTES = 1_000_000;
/** Flags with which `git apply` changes no other files than those that the patch names. */
const PLAIN =
  /^(-[RNvq3]+|-[pC]\d+|--(check|stat|numstat|summary|apply|index|cached|3way|reverse|reject|recount|verbose|quiet|intent-to-add|allow-empty|unidiff-zero|ignore-whitespace|ignore-space-change|(whitespace|exclude|include)=.*))$/;
/** A line that names a file. `diff --git` is the only one for a file that is empty, binary or has a new mode. Only `patch` reads `***` and `Index:`. */
const HEADER = /^[ \tX]*(?:--- |\+\+\+ |\*\*\* |Index:[ \t]*|(diff --git |rename (?:from|to) |copy (?:from|to) ))([^\t\n\r]+)/gm;

/**
 * Returns the files that the patches of `git apply` name, or a doubt if one cannot be read. A missing patch changes nothing. `input`: the text of
 * the input, if it is known. `isMade`: true for a file that the text makes.
 */
export function changedByPatch(
  words: readonly Word[],
  folder: string,
  { input, isMade }: { input: string | undefined; isMade: (file: string) => boolean },
): NamedPath[] | { doubt: string } {
  const odd = words.find(({ text }) => text.startsWith("-") && text !== "-" && !PLAIN.test(text));
  if (odd) return { doubt: `${odd.text.slice(0, 40)} makes git apply change other files` };
  const isChecked = words.some(({ text }) => /^--(check|stat|numstat|summary)$/.test(text));
  if (isChecked && !words.some(({ text }) => text === "--apply")) return [];
  const [strip, ...others] = words.flatMap(({ text }) => /^-p(\d+)$/.exec(text)?.slice(1).map(Number) ?? []);
  const patches = words.filter(({ text }) => !text.startsWith("-"));
  const isInput = patches.length === 0 && input !== undefined;
  const isUnknown = words.some(({ kind, text }) => kind !== "literal" || (text === "-" && !isInput) || text === "-p");
  if (isUnknown || others.length > 0 || (patches.length === 0 && !isInput))
    return { doubt: "applies a patch that is known only when it runs" };
  const texts = isInput ? [input] : [];
  for (const { text } of patches) {
    const file = path.resolve(folder, text);
    if (isMade(file)) return { doubt: "applies a patch that the text itself makes" };
    const found = statSync(file, { throwIfNoEntry: false });
    if (found !== undefined) texts.push(found.isFile() && found.size <= MAX_BYTES ? readFileSync(file, "utf8") : "");
  }
  const files = texts.map((text) => filesIn(text, strip, folder));
  if (files.some(({ length }) => length === 0)) return { doubt: "applies a patch that cannot be read" };
  return files.flat().map((each): NamedPath => ({ word: literal(each), use: "edits" }));
}

/**
 * Returns the words of `git apply` that match a call of `patch`, such as `patch -p1 -i FILE`. If the call names a file,
 * `patch` changes only that file. `--dry-run` changes nothing.
 */
export function patchesOf(words: readonly Word[]): Word[] {
  const { operands, seen } = parseArguments(writers["patch"], words);
  if (operands.length > 0 || seen.has("--dry-run")) return [literal("--check")];
  const [patch, strip] = [seen.get("-i") ?? seen.get("--input"), seen.get("-p")];
  return strip ? [patch ?? literal("-"), literal(`-p${strip.text}`)] : [literal("-p")];
}

/** Returns the files that a patch names. Without `-p`, git strips no folder from a single name, and strips the folder in which it works. */
function filesIn(patch: string, strip: number | undefined, folder: string): string[] {
  const names = [...patch.matchAll(HEADER)].flatMap(([, git, rest = ""]) => {
    if (rest.includes("//")) return ["//"];
    if (git !== undefined && !git.startsWith("diff")) return [rest];
    const both = git === undefined ? [rest] : rest.split(" ").length === 2 ? rest.split(" ") : [rest.slice(0, rest.length / 2)];
    return both.flatMap((name) => stripped(name.split("/"), strip, folder));
  });
  const files = names.flatMap((name) => [name, name.replace(/ .*/, "")]).filter((name) => !/^(\/?dev\/null)?$/.test(name)); // a date may follow
  return files.some((name) => /"|\/\//.test(name)) ? [] : [...new Set(files)];
}

function stripped(parts: readonly string[], strip: number | undefined, folder: string): string[] {
  const inside = parts.findIndex((_, i) => strip === undefined && folder.endsWith(["", ...parts.slice(0, i + 1)].join("/")));
  const counts = strip === undefined ? [parts.length === 1 ? 0 : 1, inside + 1 || 1] : [strip];
  return counts.map((count) => parts.slice(count).join("/"));
}
