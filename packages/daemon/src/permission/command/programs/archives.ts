import { hasFlag, parseArguments } from "./parse-arguments.ts";
import { readCall } from "./classify-by-table.ts";
import { doubtful, UNKNOWN_ARGUMENT, type NamedPath, type ProgramClassifier } from "./program-types.ts";
import { parseTables } from "../tables/argument-table.ts";
import { writers } from "../tables/writers.ts";
import { literal, type Word } from "../words/word.ts";

/** A value of `--checkpoint-action` or `-T` may be a program, or a list of unknown names. */
const tables = parseTables(String.raw`
tar | operands=text | flags: -c -r -u -A -t -x -v -z -j -J -Z -a -k -p -m -o -O -h -S -l -U -i --list --verbose --gzip --create --append
  --update --extract --get --dereference --bzip2 --xz --zstd --auto-compress --keep-old-files --overwrite --wildcards --no-wildcards
  --numeric-owner --totals --same-permissions --preserve-permissions --no-same-owner --no-same-permissions --one-file-system --exclude-vcs
  --exclude-vcs-ignores --to-stdout --skip-old-files --no-recursion --anchored --show-transformed-names --full-time --utc --touch --null |
  valued: -f -C -b --file --directory --exclude --strip-components --sort --owner --group --mtime --format --warning --checkpoint |
  runs: -I -F -T -X -W -g --to-command --checkpoint-action --use-compress-program --info-script --new-volume-script
  --rsh-command --rmt-command --remove-files --one-top-level --files-from --exclude-from --listed-incremental | renames: -P --absolute-names --transform
  --xform
`);

/** Classifies `unzip`, which unpacks here unless `-d` names a folder. */
export const unzip: ProgramClassifier = ({ words }) => {
  const { effects, sorted } = readCall(writers["unzip"], words);
  const here: NamedPath[] = hasFlag(sorted, "-d") ? [] : [{ word: literal("."), use: "edits", search: { fills: true } }];
  return { ...effects, paths: [...effects.paths, ...here, ...sorted.operands.slice(1).map((word) => ({ word, use: "edits" as const }))] };
};

/** Flags with which `tar` lists its files, or prints what it would unpack, and changes nothing. */
const LISTS = /^(-[tvfzjJa]|--(list|file|verbose|gzip|wildcards))$/;
const PRINTS = /^-[xOvfzjJa]$/;

/** Classifies `tar`. It lists, packs or unpacks, and some flags run programs. */
export const tar: ProgramClassifier = ({ words }) => {
  const sorted = parseArguments(tables.tar, withDashes(words));
  const { seen, occurrences, operands, unknown, runs, renames, isOpen } = sorted;
  const isUnclear =
    operands.some((word) => word.kind === "open" && !word.single) ||
    [seen.get("-C"), seen.get("--directory")].some((word) => word?.kind === "pattern");
  if (isOpen || isUnclear) return doubtful(UNKNOWN_ARGUMENT);
  const [odd] = [...runs, ...renames, ...unknown];
  if (odd !== undefined) return doubtful(`${odd.slice(0, 40)} makes tar run a program or use other names, or is not known here`);
  const has = (flags: string) => hasFlag(sorted, flags);
  const files = occurrences.flatMap(({ flag, value }) => (/^(-f|--file)$/.test(flag) && value ? [value] : []));
  const folders = occurrences.flatMap(({ flag, value }) => (/^(-C|--directory)$/.test(flag) && value ? [value] : []));
  const [file, into] = [files[0], folders[0]];
  if (files.length > 1 || folders.length > 1 || operands.some(({ text }) => text.startsWith("@")))
    return doubtful("tar works in several folders or archives");
  if (file?.kind === "literal" && file.text.includes(":")) return doubtful("tar would reach another machine");
  const isMaking = has("-c -r -u -A --create --append --update");
  const isListing = has("-t --list") || (has("-x") && has("-O"));
  const isFilling = !isMaking && !isListing;
  const fills = isFilling ? { search: { fills: true } } : {};
  const placed = (word: Word): Word =>
    into === undefined || word.kind === "open" || into.kind === "open" || word.text.startsWith("/")
      ? word
      : { ...word, text: `${into.text}/${word.text}` };
  const search = { ...(has("-h --dereference") ? { follows: true } : {}), ...fills.search };
  const use = isMaking ? "searches" : isListing ? "names" : "edits";
  const paths: NamedPath[] = operands.map((word) => ({ word: placed(word), use, search }));
  if (file) paths.push({ word: file, use: isMaking ? "edits" : "reads" });
  if (into || isFilling) paths.push({ word: into ?? literal("."), use: isFilling ? "edits" : "names", ...fills });
  const isOnlyMaking = has("-c --create") && !has("-r -u -A --append --update") && file !== undefined && file.text !== "-";
  const reads = isListing && !isMaking && occurrences.every(({ flag }) => (has("-x") ? PRINTS : LISTS).test(flag));
  return { reads, paths, doubts: [], ...(isOnlyMaking ? { onlyEdits: true as const } : {}) };
};

/** Turns `tar czf a.tgz src` into `tar -c -z -f a.tgz src`. Letters without a dash take their values from the words after them. */
function withDashes(words: readonly Word[]): Word[] {
  const [first, ...rest] = words;
  if (first?.kind !== "literal" || !/^[A-Za-z]+$/.test(first.text)) return [...words];
  const flags = first.text.split("").flatMap((letter) => {
    const value = /[fCbTXIFgKNVL]/.test(letter) ? rest.shift() : undefined;
    return [literal(`-${letter}`), ...(value ? [value] : [])];
  });
  return [...flags, ...rest];
}
