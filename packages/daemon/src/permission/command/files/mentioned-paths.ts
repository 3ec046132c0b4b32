import path from "node:path";
import { matchesWildcard } from "@baton/core/permission/wildcard";
import type { ProgramInvocation, ProgramEffects, NamedPath } from "../programs/program-types.ts";
import { wordSet } from "../tables/name-matcher.ts";
import { braces, literal, textOfAll, type Word } from "../words/word.ts";
import { CHANGING, formatterOf, OTHERWISE } from "./formatted-files.ts";
import { attempt } from "./path-on-disk.ts";

/** Programs whose arguments name files on another machine. */
const ELSEWHERE = new Set("docker docker-compose podman kubectl ssh".split(" "));

/** Verbs of these programs that take files of this machine or bring some to it. */
const TAKING = /^(apply|create|replace|patch|diff|cp|push|pull|install|sideload)$/;

/**
 * Returns the arguments and flag values of an unknown program that may name files: `--config=/tmp/x`, `-F .env`, `-oFILE`. The
 * gate judges what they name only as far as it exists.
 */
export function mentionedPaths({ name, words }: Pick<ProgramInvocation, "name" | "words">): ProgramEffects["paths"] {
  if (ELSEWHERE.has(name) && !words.slice(0, 4).some(({ text }) => TAKING.test(text))) return [];
  const local = ELSEWHERE.has(name) ? words.filter(({ text }) => !/^[\w.-]+(\/[\w.-]+)?:/.test(text)) : words;
  const isChanging = words.some(({ text }) => CHANGING.test(text));
  const call = RUNNING.test(name) ? words.slice(0, 3).map(({ text }) => text) : [name];
  const isFormatter = formatterOf(call) !== undefined && !OTHERWISE.test(` ${textOfAll([literal(name), ...words])}`);
  const isTool = isFormatter || (!isChanging && call.some((each) => HERE.has(each)));
  const isOutput = (word: Word) => OUTPUT.test(words[words.indexOf(word) - 1]?.text ?? "");
  const isHere = (word: Word) => isTool && /^\.{1,2}(\/|\/\.\.\.)?$/.test(word.text) && !isOutput(word);
  const isPlain = name === "go" ? GO.test(textOfAll(words)) : !local.some((word) => word.text.includes("/") && !isHere(word));
  const named = local.flatMap((word): NamedPath[] => (isPlain && isHere(word) ? [{ word, use: "names" }] : pathsInWord(word)));
  return isChanging ? [...named, ...named.map((each) => ({ ...each, use: "edits" as const }))] : named;
}

/** Tools for which their folder as an argument makes no difference, and programs that run them. */
const HERE = wordSet(`go staticcheck tsc vue-tsc svelte-check mypy pyright basedpyright flake8 pylint bandit pytest tox nox make cmake ctest
  ninja phpcs phpstan pip pip3 jest vitest mocha`);
const GO =
  /^\w+( -(v|x|race|short|cover|failfast|json|benchmem|(o|coverprofile|covermode|count|run|bench|timeout|tags)[= ](?!\S*\.\.)\S+)| [\w.][\w./-]*)*$/;
const RUNNING = /^(npx|bunx|pnpx|pnpm|yarn|npm|uvx?|poetry|pipenv|bundle|python3?)$/;

/** Flags before a folder that the program writes into. */
const OUTPUT = /^(-[odtB]|--?(?!-?(root|directory))[\w.-]*(out|dest|dir|target|prefix|report)[\w-]*)$/i;

/** Returns the paths that a word may name: the word, the value of a flag, and the parts between separators, as in `src=a.txt,ro`. */
export function pathsInWord(word: Word): NamedPath[] {
  if (word.kind === "open") return [];
  const whole: NamedPath[] = word.kind === "pattern" ? [{ word, use: "mentions" }] : [];
  const values = [word.text, ...(word.text.includes("\\") ? [word.text.replaceAll(/[\\'"]/g, "")] : [])].flatMap(valuesIn); // some have escapes of their own
  const parts = values.flatMap((value) =>
    value.length < MAX_PARTED && !/\s/.test(value) ? value.replace(PATTERN_LIST, "$1").split(/[=:@,;<>"'{}|]+/) : [],
  );
  const texts = [...values, ...parts.map((part) => part.replace(/^\/\/(?=\w|\.)/, "")), ...addressed(word.text)];
  return [...whole, ...[...new Set(texts)].flatMap((text) => [...mention(text), ...packed(text), ...globbed(text)])].map(suspect);
}

const suspect = (named: NamedPath): NamedPath => ({ ...named, search: { suspected: true, ...named.search } });

/** Returns the text, or the value attached to a flag: after `=`, and after each letter of a cluster. */
function valuesIn(text: string): string[] {
  if (!text.startsWith("-")) return [...new Set([text.replace(/^@/, ""), text.replace(/\/\.\.\.$/, "")])]; // in go, `./src/...` is a folder
  const behind = text.includes("=") ? [text.slice(text.indexOf("=") + 1)] : [];
  const letters = /^-(?!-)\w{1,11}/.exec(text)?.[0].length ?? 0;
  const attached = Array.from({ length: Math.max(0, letters - 1) }, (_, i) => text.slice(i + 2));
  return [...behind, ...attached].filter((value) => value.length > 1 || value === ".");
}

/** Returns the file in an address such as `file:///tmp/a%20b` or `file:a?mode=ro`. */
function addressed(text: string): string[] {
  const [, file] = /file:(?:\/\/(?=\/))?([^?#\s]+)/i.exec(text) ?? [];
  return file === undefined ? [] : [attempt(() => decodeURIComponent(file)) ?? file]; // a percent sign may encode nothing
}

/** Returns `yarn.lock` for `yarn.lock.gpg`. A program that unpacks or decrypts creates a file with that name. */
function packed(text: string): NamedPath[] {
  const shorter = /^(.*\w\.\w+)[._-]\w+$/.exec(text)?.[1];
  return shorter === undefined ? [] : mention(shorter);
}

const PATTERN_LIST = /^([\w./*-]*)\{[^{}]*,[^{}]*\}\/[^=:@,;<>"'{}|]*/; // the names in `{a,b}/*.c` are parts of a pattern
const GLOB = /[*?[{(]|[!+@]\(/;

/** Returns the files that may match a pattern which the program expands itself. They are below the folder at the start of the pattern. */
function globbed(text: string): NamedPath[] {
  const start = text.search(GLOB);
  if (start < 0 || text.length > MAX_PARTED || /[\s\n]/.test(text)) return [];
  const folder = text.slice(0, start).replace(/[^/]*$/, "") || ".";
  const rest = text.slice(folder === "." ? 0 : folder.length);
  const starred = rest.replaceAll(/\[\]?[^\]]*\]?|[!+@?*]?\([^)]*\)?|[*?]+/g, "@").replaceAll(/@\/+(\.?\/+)*/g, "@");
  const patterns = (braces(starred) ?? [starred.replaceAll(/\{[^}]*\}?/g, "@")]).map((each) =>
    path.posix.normalize(each.replaceAll("@", "*")),
  );
  const isElsewhere = /^(\/|\.\.)/.test(folder) || patterns.some((pattern) => /^(\/|\.\.)/.test(pattern)); // it may lead back here
  const ends = patterns.map((pattern) => (isElsewhere ? `*${path.posix.basename(pattern)}` : pattern));
  const leavesOut = () => (_: string, below: string) => !ends.some((pattern) => matchesWildcard(pattern, below));
  const isKey = patterns.map((each) => path.posix.basename(each)).some((name) => /[^*.]/.test(name) && matchesWildcard(name, ".env"));
  const more = [...(isElsewhere && text.includes("/", start) ? ["."] : []), ...(isKey ? [`${folder}/.env`] : [])];
  return [path.posix.normalize(folder), ...more].map((place) => ({ word: literal(place), use: "mentions", search: { leavesOut } }));
}

const MAX_PARTED = 300;

/** Returns a text as a path, if it may name a file. */
export function mention(text: string | undefined): NamedPath[] {
  const isPath = text !== undefined && text !== "" && text.length < MAX_CHARACTERS && !text.startsWith("-") && !/:\/\/|[\n\0]/.test(text);
  return isPath ? [{ word: literal(text), use: "mentions" }] : [];
}

const MAX_CHARACTERS = 1_000;
