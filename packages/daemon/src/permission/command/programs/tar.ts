import path from "node:path";
import { mention } from "../files/mentioned-paths.ts";
import { doubtful, OPEN, type ProgramEffects, type Program, type PathUse } from "./program-types.ts";
import { literal, type Word } from "../shell/word.ts";

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
  if (
    /[TX]/.test(letters) ||
    words.some(({ text }) => /^-[A-Za-z]*T/.test(text)) ||
    long.some((flag) => /^--(fi|ex)/.test(flag) && flag !== "--file" && flag !== "--exclude")
  )
    return doubtful("tar takes names from a list");
  if (
    words.some(
      ({ text }, i) =>
        /^-[A-Za-z]*[fCgbKNLVTX][^-]/.test(text) ||
        (i === 0 && /^[A-Za-z]*[fCgbKNLVTX][A-Za-z]*[fCgbKNLVTX]/.test(text)) ||
        /^-[A-Za-z]*g$/.test(text),
    )
  )
    return doubtful("tar has a value among its letters");
  const odd = long.find((flag) => !KNOWN.has(flag));
  if (odd !== undefined) return doubtful(`${odd.slice(0, 40)} is no flag of tar that is known here`);
  const effects: ProgramEffects = { reads: false, paths: [], doubts: [] };
  const file = valueOf(words, "f", "--file");
  if (file?.kind === "literal" && file.text.includes(":")) return doubtful("tar would reach another machine");
  const isListing = /t/.test(letters) || long.includes("--list") || PRINTS.test(words[0]?.text ?? "");
  const isMaking = /[cruA]/.test(letters) || long.some((flag) => /^--(create|append|update)$/.test(flag));
  const into = valueOf(words, "C", "--directory");
  if (file) effects.paths.push({ word: file, use: isMaking ? "edits" : "reads" });
  const isFilling = !isMaking && !isListing;
  if (into || isFilling)
    effects.paths.push({
      word: into ?? literal("."),
      use: isFilling ? "edits" : "names",
      ...(isFilling ? { search: { fills: true } } : {}),
    });
  const first = /^[A-Za-z]+$/.test(words[0]?.text ?? "") ? 1 : 0;
  const rest = words.slice(first).filter((word) => word !== file && word !== into && !word.text.startsWith("-"));
  const use: PathUse = isMaking ? "searches" : isListing ? "names" : "edits";
  const follows = /h/.test(letters) || long.includes("--dereference");
  const placed = (word: Word): Word =>
    into === undefined || word.kind === "open" || into.kind === "open" || word.text.startsWith("/")
      ? word
      : { ...word, text: path.join(into.text, word.text) };
  effects.paths.push(
    ...rest.map((word) => ({
      word: placed(word),
      use,
      search: { ...(follows ? { follows } : {}), ...(isFilling ? { fills: true } : {}) },
    })),
  );
  for (const { text } of words) {
    const [, named] = /^--[\w-]+=(.+)$/s.exec(text) ?? [];
    if (text.startsWith("--one-top-level=") && named) effects.paths.push({ word: literal(named), use: "edits", search: { fills: true } });
    else if (!text.startsWith("--file=") && !text.startsWith("--directory=")) effects.paths.push(...mention(named));
  }
  effects.reads =
    isListing &&
    !isMaking &&
    long.every((flag) => /^--(list|file|verbose|gzip)$/.test(flag)) &&
    (PRINTS.test(words[0]?.text ?? "") ? /^[xOvfzjJa]+$/ : /^[tvfzjJa]+$/).test(letters);
  return effects;
};

/** `-xOf`: prints what it would unpack. Behind another word the letter could be the value of a flag. */
const PRINTS = /^-?(?=\w*x)(?=\w*O)[xOvzjJa]+f?$/;

/** Long flags as they are; a shortened one could be any. */
const KNOWN = new Set(
  (
    "--list --file --verbose --gzip --create --append --update --extract --get --directory --exclude --dereference --bzip2 --xz --zstd --auto-compress " +
    "--keep-old-files --overwrite --strip-components --wildcards --no-wildcards --sort --owner --group --numeric-owner --mtime --format --totals --same-permissions " +
    "--preserve-permissions --no-same-owner --no-same-permissions --one-file-system --exclude-vcs --exclude-vcs-ignores --to-stdout --skip-old-files --no-recursion --anchored --transform --one-top-level --warning --checkpoint --show-transformed-names --full-time --utc --touch --null"
  ).split(" "),
);

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
