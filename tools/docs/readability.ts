import { execFileSync } from "node:child_process";
import path from "node:path";
import { commentSentences, isPassive, markdownSentences, textSentences, wordCount } from "./sentences.ts";

// Prints how long sentences are and how many of them are passive: `node tools/docs/readability.ts [COMMIT...]`.
// With `--sample N SEED` it prints N sentences of each kind from the last commit instead.
const root = path.resolve(import.meta.dirname, "../..");
const git = (...args: string[]): string => execFileSync("git", args, { cwd: root, encoding: "utf8", maxBuffer: 256 * 1024 * 1024 });

type Kind = { name: string; includes: (file: string) => boolean; read: (text: string) => string[] };

const isSource = (file: string): boolean => /^packages\/\w+\/src\/.*\.tsx?$/.test(file) && !file.includes(".test.");

const KINDS: readonly Kind[] = [
  {
    name: "documents",
    includes: (file) =>
      /^(docs\/.*|README|AGENTS|CONTRIBUTING|packages\/vscode\/README)(\.md)$/.test(file) && !/\/(reference|reports)\//.test(file),
    read: markdownSentences,
  },
  { name: "help and errors", includes: isSource, read: textSentences },
  { name: "comments", includes: isSource, read: commentSentences },
];

const sentencesOf = ({ includes, read }: Kind, commit: string): string[] => {
  const files = git("ls-tree", "-r", "--name-only", commit).split("\n").filter(includes);
  return files.flatMap((file) => read(git("show", `${commit}:${file}`)));
};

const [flag, ...rest] = process.argv.slice(2);
if (flag === "--sample") sample(Number(rest[0] ?? 40), Number(rest[1] ?? 1));
else for (const commit of flag === undefined ? ["HEAD"] : [flag, ...rest]) measure(commit);

function measure(commit: string): void {
  for (const kind of KINDS) {
    const sentences = sentencesOf(kind, commit);
    const words = sentences.map(wordCount);
    const share = (count: number): string => `${Math.round((1000 * count) / Math.max(1, sentences.length)) / 10} %`;
    const mean = words.reduce((sum, count) => sum + count, 0) / Math.max(1, words.length);
    const long = share(words.filter((count) => count > 25).length);
    console.log(
      `${commit}  ${kind.name.padEnd(16)} ${String(sentences.length).padStart(6)} sentences, mean ${mean.toFixed(1)} words, over 25 words ${long}, passive ${share(sentences.filter(isPassive).length)}`,
    );
  }
}

/** Prints sentences by chance. The same seed gives the same ones. */
function sample(count: number, seed: number): void {
  let state = seed;
  const next = (): number => (state = (state * 1_103_515_245 + 12_345) % 2 ** 31) / 2 ** 31;
  for (const kind of KINDS) {
    const sentences = sentencesOf(kind, "HEAD");
    console.log(`\n${kind.name}`);
    for (let i = 0; i < count; i++) console.log(`- ${sentences[Math.floor(next() * sentences.length)] ?? ""}`);
  }
}
