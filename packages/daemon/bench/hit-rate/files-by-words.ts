import { spawnSync } from "node:child_process";
import { rgPath } from "@vscode/ripgrep";

const MIN_WORD = 4;

/** The files with most of the words of a text, and of these the ones with most matches: a careful use of ripgrep. */
export function filesByWords(folder: string, text: string): string[] {
  const scores = new Map<string, number>();
  for (const word of new Set(text.toLowerCase().match(/[a-z]+/g) ?? [])) {
    if (word.length < MIN_WORD) continue;
    const args = ["--no-config", "--count", "--ignore-case", "--hidden", "--glob=!.git", "--", word, "."];
    const { stdout } = spawnSync(rgPath, args, { cwd: folder, encoding: "utf8", maxBuffer: 1e9 });
    for (const line of stdout.split("\n")) {
      const cut = line.lastIndexOf(":");
      if (cut < 0) continue;
      const file = line.slice(2, cut);
      scores.set(file, (scores.get(file) ?? 0) + 1 + Math.min(0.9, Number(line.slice(cut + 1)) / 100));
    }
  }
  return [...scores].toSorted((a, b) => b[1] - a[1]).map(([file]) => file);
}
