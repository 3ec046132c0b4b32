import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import type { ScriptHash } from "../script-hash/hash-scripts.ts";

const READS_TRANSCRIPT = /transcript_?path/i;

/** Whether a hook reads the transcript: its command or one of its scripts has the name of the field. */
export function readsTranscript(words: readonly string[], scripts: readonly ScriptHash[]): boolean {
  return [...words, ...scripts.map(([file]) => textOf(file))].some((text) => READS_TRANSCRIPT.test(text));
}

/** A file that only the user can read, in a folder of its own. `remove` removes both. */
export async function writeTranscript(
  folder: string,
  text: string,
): Promise<{ folder: string; file: string; remove: () => Promise<void> }> {
  const own = path.join(folder, randomUUID());
  await mkdir(own, { recursive: true, mode: 0o700 });
  const file = path.join(own, "transcript.jsonl");
  await writeFile(file, text, { mode: 0o600 });
  return { folder: own, file, remove: () => rm(own, { recursive: true, force: true }) };
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return ""; // the script was removed since
  }
}
