import { realpath } from "node:fs/promises";
import path from "node:path";
import type { Instruction } from "../session/turn/system-prompt.ts";
import type { Reader } from "./read-cached.ts";

const MAX_DEPTH = 5;
const MAX_FILES = 20;

/** `@docs/style.md` at the start of a word, outside of code; `@someone` and addresses name no file with an ending. */
const NAMED = /(?<=^|\s)@((?:~\/|\.{0,2}\/)?[\w./-]+\.(?:md|mdc|txt))(?=$|[\s,;:)])/gm;
const CODE = /```[\s\S]*?(?:```|$)|`[^`\n]*`/g;

/**
 * An instruction file and those that it names as `@path`, relative to itself, as Claude Code reads them. What lies outside
 * of `root`, a real path, is not followed.
 */
export async function inlineImports(first: Instruction & { file: string }, root: string, read: Reader): Promise<Instruction[]> {
  const found: Instruction[] = [];
  const seen = new Set([first.file]);
  const follow = async ({ file, ...instruction }: Instruction & { file: string }, depth: number): Promise<void> => {
    found.push(instruction);
    if (depth >= MAX_DEPTH) return;
    for (const named of namesIn(instruction.text)) {
      const target = await within(root, path.resolve(path.dirname(file), named));
      if (target === undefined || seen.has(target) || found.length >= MAX_FILES) continue;
      seen.add(target);
      const text = await read(target);
      if (text) await follow({ file: target, origin: `${instruction.origin} → ${named}`, text, project: instruction.project }, depth + 1);
    }
  };
  await follow(first, 0);
  return found;
}

const namesIn = (text: string): string[] => Array.from(text.replaceAll(CODE, " ").matchAll(NAMED), ([, name = ""]) => name);

async function within(root: string, file: string): Promise<string | undefined> {
  const real = await realpath(file).catch(() => undefined); // a file that is not there is not named
  return real?.startsWith(root + path.sep) ? real : undefined;
}
