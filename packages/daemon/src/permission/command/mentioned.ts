import type { Call, Deeds } from "./program.ts";
import { literal, type Word } from "./word.ts";

/** Programs whose words name files of another machine. */
const ELSEWHERE = new Set("docker docker-compose podman kubectl ssh mosh adb".split(" "));

/**
 * Words of a program that nobody has a table for, and values of its flags, which may name files: `--config=/tmp/x`,
 * `-F .env`. What they name is judged as far as it is there.
 */
export function mentioned({ name, words }: Call): Deeds["paths"] {
  if (ELSEWHERE.has(name)) return [];
  const named = words.flatMap(mentionedBy).map(({ word }) => ({ word, use: "mentions" as const, search: { suspected: true } }));
  const isChanging = words.some(({ text }) => CHANGING.test(text));
  return isChanging ? [...named, ...named.map(({ word }) => ({ word, use: "edits" as const }))] : named;
}

/** The word itself, the value of a flag, and the parts between signs that separate: `src=a.txt,ro`, `@a.txt`, `text:a.txt`. */
function mentionedBy(word: Word): Deeds["paths"] {
  if (word.kind !== "literal") return word.kind === "pattern" ? [{ word, use: "mentions" }] : [];
  const [, value = ""] = /^(?:-{1,2}[^=]*=|-[A-Za-z](?=\/|\.)|@)?(.*)$/s.exec(word.text) ?? [];
  const glued = /^-[A-Za-z](\w.*\/.*)$/s.exec(word.text)?.[1];
  const parts = value.length < MOST_PARTED && !/[\s]/.test(value) ? value.split(/[=:@,;<>"'{}|]+/) : [];
  return [value, glued, ...(parts.length > 1 ? parts : []).map((part) => part.replace(/^\/\/(?=\w|\.)/, ""))].flatMap(mention);
}

const MOST_PARTED = 300;

/** Flags by which a formatter or its like changes the files that it is given. */
const CHANGING = /^(-w|-i|--write|--fix|--in-?place)$/;

/** A text that may name a file. */
export function mention(text: string | undefined): Deeds["paths"] {
  const isPath = text !== undefined && text !== "" && text.length < MOST_LETTERS && !text.startsWith("-") && !/:\/\/|[\n\0]/.test(text);
  return isPath ? [{ word: literal(text), use: "mentions" }] : [];
}

const MOST_LETTERS = 1_000;
