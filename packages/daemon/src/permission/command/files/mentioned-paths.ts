import path from "node:path";
import { matchesWildcard } from "@baton/core/permission/wildcard";
import type { Call, ProgramEffects, NamedPath } from "../programs/program-types.ts";
import { literal, type Word } from "../shell/word.ts";

/** Programs whose words name files of another machine. */
const ELSEWHERE = new Set("docker docker-compose podman kubectl ssh mosh adb bazel buck2".split(" "));

/**
 * Words of a program that nobody has a table for, and values of its flags, which may name files: `--config=/tmp/x`,
 * `-F .env`, `-oFILE`. What they name is judged as far as it is there.
 */
export function mentionedPaths({ name, words }: Call): ProgramEffects["paths"] {
  if (ELSEWHERE.has(name)) return [];
  const named = words.flatMap(pathsInWord);
  const isChanging = words.some(({ text }) => CHANGING.test(text));
  return isChanging ? [...named, ...named.map((each) => ({ ...each, use: "edits" as const }))] : named;
}

/** Flags by which a formatter or its like changes the files that it is given. */
const CHANGING = /^(-w|-i|--write|--fix|--in-?place)$/;

/** What one word may name: itself, the value of a flag, and the parts between signs that separate, as in `src=a.txt,ro`. */
export function pathsInWord(word: Word): NamedPath[] {
  if (word.kind === "open") return [];
  if (word.kind === "pattern") return [suspect({ word, use: "mentions" })];
  const values = valuesIn(word.text);
  const parts = values.flatMap((value) => (value.length < MAX_PARTED && !/\s/.test(value) ? value.split(/[=:@,;<>"'{}|]+/) : []));
  const texts = [...values, ...parts.map((part) => part.replace(/^\/\/(?=\w|\.)/, "")), ...addressed(word.text)];
  return [...new Set(texts)].flatMap((text) => [...mention(text), ...packed(text), ...globbed(text)]).map(suspect);
}

const suspect = (named: NamedPath): NamedPath => ({ ...named, search: { suspected: true, ...named.search } });

/** The text, or what is attached to a flag: behind `=`, and behind each letter of a cluster. */
function valuesIn(text: string): string[] {
  if (!text.startsWith("-")) return [...new Set([text.replace(/^@/, ""), text.replace(/\/\.\.\.$/, "")])]; // `./src/...` is the folder for go
  const behind = text.includes("=") ? [text.slice(text.indexOf("=") + 1)] : [];
  const letters = /^-(?!-)\w{1,11}/.exec(text)?.[0].length ?? 0;
  const attached = Array.from({ length: Math.max(0, letters - 1) }, (_, i) => text.slice(i + 2));
  return [...behind, ...attached].filter((value) => value.length > 1 || value === ".");
}

/** The file of an address such as `file:///tmp/a%20b` or `file:a?mode=ro`. */
function addressed(text: string): string[] {
  const [, file] = /file:(?:\/\/(?=\/))?([^?#\s]+)/i.exec(text) ?? [];
  if (file === undefined) return [];
  try {
    return [decodeURIComponent(file)];
  } catch {
    return [file]; // it has a percent sign that encodes nothing
  }
}

/** `yarn.lock` for `yarn.lock.gpg`: a program that unpacks or decrypts makes a file of that name. */
function packed(text: string): NamedPath[] {
  const shorter = /^(.*\w\.\w+)[._-]\w+$/.exec(text)?.[1];
  return shorter === undefined ? [] : mention(shorter);
}

const GLOB = /[*?[{]|[!+@]\(/;

/** A pattern that the program expands itself: the files that may match it, below the folder in front of it. */
function globbed(text: string): NamedPath[] {
  const start = text.search(GLOB);
  if (start < 0 || text.length > MAX_PARTED || /[\s\n]/.test(text)) return [];
  const folder = text.slice(0, start).replace(/[^/]*$/, "") || ".";
  const pattern = text.slice(folder === "." ? 0 : folder.length).replaceAll(/\{[^}]*\}?|\[[^\]]*\]?|[!+@?*]?\([^)]*\)?|[*?]+/g, "*");
  const leavesOut = () => (_: string, below: string) =>
    !matchesWildcard(pattern.replace(/^\.\//, ""), below) && !matchesWildcard(pattern.replaceAll("*/", ""), below);
  return [{ word: literal(path.posix.normalize(folder)), use: "mentions", search: { leavesOut } }];
}

const MAX_PARTED = 300;

/** A text that may name a file. */
export function mention(text: string | undefined): NamedPath[] {
  const isPath = text !== undefined && text !== "" && text.length < MAX_CHARACTERS && !text.startsWith("-") && !/:\/\/|[\n\0]/.test(text);
  return isPath ? [{ word: literal(text), use: "mentions" }] : [];
}

const MAX_CHARACTERS = 1_000;
