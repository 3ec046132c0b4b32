import { realpath } from "node:fs/promises";
import path from "node:path";
import { readStableFile } from "../read-stable-file.ts";

const NAMED = /\{file:([^}]+)\}/g;
const TEXT = /\.(?:md|mdc|txt|prompt)$/;

/**
 * A text with what is said by the files that it names as `{file:PATH}`, relative to the folder of its own file. Only files of
 * text that lie below `root` are read; a `problem` says which is not.
 */
export async function inlineNamedFiles(
  text: string,
  from: string,
  root: string,
): Promise<{ text: string } | { problem: string; fix: string }> {
  const said = new Map<string, string>();
  for (const [whole, name = ""] of text.matchAll(NAMED)) {
    const found = await readBelow(path.resolve(path.dirname(from), name.trim()), root);
    if ("problem" in found)
      return { problem: `${name.trim()} ${found.problem}`, fix: `Put it as .md or .txt below ${root}, or write it here.` };
    said.set(whole, found.text.trim());
  }
  return { text: text.replaceAll(NAMED, (whole) => said.get(whole) ?? whole) };
}

async function readBelow(file: string, root: string): Promise<{ text: string } | { problem: string }> {
  if (!TEXT.test(file)) return { problem: "is no .md or .txt, so it is not read." };
  const [real, below] = await Promise.all([file, root].map((each) => realpath(each).catch(() => undefined))); // what is not there lies nowhere
  if (real === undefined || below === undefined) return { problem: "is not there." };
  if (!TEXT.test(real) || !real.startsWith(below + path.sep))
    return { problem: "lies outside of what belongs to this file, so it is not read." };
  const settled = await readStableFile(real);
  if (settled && "text" in settled) return settled;
  return { problem: settled ? `cannot be read: ${settled.message}` : "is not there." };
}
