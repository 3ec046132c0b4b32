import { mention } from "./mentioned.ts";
import { doubtful, OPEN, type Deeds, type Program, type Use } from "./program.ts";
import type { Word } from "./word.ts";

const RUNS = [
  "--to-command",
  "--checkpoint-action",
  "--use-compress-program",
  "--info-script",
  "--new-volume-script",
  "--rsh-command",
  "--rmt-command",
];

/** `tar`: lists, packs or unpacks; some flags run programs, and it understands them shortened. */
export const tar: Program = ({ words }) => {
  if (words.some((word) => word.kind === "open" && (word.prefix === "" || word.prefix.startsWith("-") || !word.single)))
    return doubtful(OPEN);
  const long = words.filter((word) => word.text.startsWith("--")).map((word) => word.text.split("=")[0] ?? "");
  const running = long.find((flag) => flag.length > 3 && RUNS.some((name) => name.startsWith(flag)));
  const letters = lettersOf(words);
  if (running !== undefined || /[IF]/.test(letters)) return doubtful(`${running ?? "-I or -F"} makes tar run a program`);
  if (/P/.test(letters) || long.some((flag) => "--absolute-names".startsWith(flag) && flag.length > 4))
    return doubtful("tar may write outside of its folder");
  if (long.some((flag) => flag.startsWith("--rem"))) return doubtful("tar deletes what it packs");
  if (long.some((flag) => /^--(tr|xf)/.test(flag))) return doubtful("tar renames what it unpacks");
  const deeds: Deeds = { reads: false, paths: [], doubts: [] };
  const file = valueOf(words, "f", "--file");
  if (file?.kind === "literal" && file.text.includes(":")) return doubtful("tar would reach another machine");
  const isListing = /t/.test(letters) || long.includes("--list");
  const isMaking = /[cruA]/.test(letters) || long.some((flag) => /^--(create|append|update)$/.test(flag));
  const into = valueOf(words, "C", "--directory");
  if (file) deeds.paths.push({ word: file, use: isMaking ? "edits" : "reads" });
  if (into) deeds.paths.push({ word: into, use: isMaking || isListing ? "names" : "edits" });
  const first = /^[A-Za-z]+$/.test(words[0]?.text ?? "") ? 1 : 0;
  const rest = words.slice(first).filter((word) => word !== file && word !== into && !word.text.startsWith("-"));
  const use: Use = isMaking ? "searches" : isListing ? "names" : "edits";
  deeds.paths.push(...rest.map((word) => ({ word, use })));
  for (const { text } of words) {
    const [, named] = /^--[\w-]+=(.+)$/s.exec(text) ?? [];
    if (!text.startsWith("--file=") && !text.startsWith("--directory=")) deeds.paths.push(...mention(named));
  }
  deeds.reads = isListing && !isMaking && long.every((flag) => /^--(list|file|verbose|gzip)$/.test(flag)) && /^[tvfzjJa]+$/.test(letters);
  return deeds;
};

const lettersOf = (words: readonly Word[]): string =>
  words
    .map(({ text }, i) =>
      /^-[A-Za-z]/.test(text) ? text.slice(1).replace(/(?<=[CfTXVK]).*/s, "") : i === 0 && /^[A-Za-z]+$/.test(text) ? text : "",
    )
    .join("");

function valueOf(words: readonly Word[], letter: string, name: string): Word | undefined {
  const at = words.findIndex(
    ({ text }, i) =>
      text === name ||
      (new RegExp(`^-[A-Za-z]*${letter}$`).test(text) && !text.startsWith("--")) ||
      (i === 0 && new RegExp(`^[A-Za-z]*${letter}[A-Za-z]*$`).test(text)),
  );
  if (at >= 0) return words[at + 1];
  const glued = words.find(({ text }) => new RegExp(`^-${letter}.`).test(text));
  if (glued) return { kind: "literal", text: glued.text.slice(2) };
  const attached = words.find(({ text }) => text.startsWith(`${name}=`));
  return attached && { kind: "literal", text: attached.text.slice(name.length + 1) };
}
