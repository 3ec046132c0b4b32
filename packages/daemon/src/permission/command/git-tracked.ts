import { readFileSync, statSync } from "node:fs";
import path from "node:path";
import type { Scene } from "./scene.ts";
import type { Word } from "./word.ts";

/** Files of secrets that are in the index under their name; what is only an example of one is none. */
const SECRET =
  /(\.env(?!\.(example|sample|template|dist|defaults?|schema)\0)(\.[\w-]+)*|(?<![\w.-])(id_(rsa|dsa|ecdsa|ed25519)|\.netrc|\.git-credentials|\.pypirc|\.pgpass|\.vault-token))\0/;
const LARGEST = 16 * 1024 * 1024;

/** Whether git has files of secrets among those that it lists and searches. An index that is too large to look through may have. */
export const tracksSecrets = ({ cwds }: Pick<Scene, "cwds">): boolean => cwds.some(hasSecrets);

/** `git grep` prints what is in any file that git tracks, unless it is told in which ones to look. */
export function searchedSecrets(words: readonly Word[], scene: Pick<Scene, "cwds">): string | undefined {
  const at = words.findIndex(({ text }, i) => !text.startsWith("-") && !/^-[cC]$/.test(words[i - 1]?.text ?? ""));
  if (
    words[at]?.text !== "grep" ||
    words.some(({ text }) => text === "--" || /^(-l|--files-with-matches|--name-only|-c|--count)$/.test(text))
  )
    return undefined;
  return tracksSecrets(scene) ? "searches files of secrets as well, which git tracks here" : undefined;
}

function hasSecrets(folder: string): boolean {
  for (let at = folder; at !== path.dirname(at); at = path.dirname(at)) {
    const index = path.join(at, ".git", "index");
    const size = statSync(index, { throwIfNoEntry: false })?.size;
    if (size !== undefined) return size > LARGEST || SECRET.test(readFileSync(index, "latin1"));
  }
  return false;
}
