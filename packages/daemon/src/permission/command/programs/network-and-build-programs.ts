import path from "node:path";
import { classifyByTable, readCall, underOwnPaths } from "./classify-by-table.ts";
import { MAX_ADDRESSES, parseArguments, type ParsedArguments } from "./parse-arguments.ts";
import { HARMLESS, doubtful, UNKNOWN_ARGUMENT, type ProgramEffects, type NamedPath, type ProgramClassifier } from "./program-types.ts";
import { dockerIgnores } from "../files/docker-ignore.ts";
import { attempt } from "../files/path-on-disk.ts";
import type { Table } from "../tables/argument-table.ts";
import { verbTables } from "../tables/verb-tables.ts";
import { writers } from "../tables/writers.ts";
import { literal, partOf, textOfAll, type Word } from "../words/word.ts";

/** Classifies `curl`. It may send the content of files, and it may save a response in a file. */
export const curl: ProgramClassifier = ({ words, fed }) => {
  const { effects, sorted } = readCall(writers["curl"], words);
  const { operands, occurrences } = sorted;
  const named = occurrences.flatMap(({ flag, value }) => (/^(-T|--upload-file|-o|--output|--url)$/.test(flag) && value ? value : []));
  if (operands.length > MAX_ADDRESSES) return doubtful("names more addresses than can be judged");
  if ([...operands, ...named].some((word) => /[{[]|#\d/.test(textOfAll([word]).replace(/\/\/\[[\da-f:.]+\]/i, ""))))
    return doubtful("stands for several addresses or files");
  // curl also accepts the beginning of a flag.
  const odd = words.find(({ text }) => /^--[a-z]/.test(text) && !sorted.seen.has(text.split("=")[0] ?? ""));
  if (odd) return { ...effects, doubts: [...effects.doubts, `${odd.text.slice(0, 40)} is no flag of curl that is known here`] };
  if (fed !== "nothing" && fed !== "text" && words.some(({ text }) => /@-$|^-$/.test(text))) return doubtful("sends what comes in");
  const saved = words.some(({ text }) => /^-[a-zA-Z0-9#]*O|^--remote-name/.test(text)) ? words.flatMap(savedAs) : [];
  const outputs = occurrences.flatMap(({ flag, value }) => (/^(-o|--output)$/.test(flag) && value ? value : []));
  const inFolder = savedBelow(occurrences, "--output-dir", [...saved.map(({ word }) => word), ...outputs]);
  return {
    ...effects,
    paths: [...effects.paths, ...saved, ...inFolder, ...occurrences.flatMap(({ flag, value }) => sentFiles(flag, value))],
  };
};

/** Returns the file that `-O` writes. Its name is the last part of the address. */
function savedAs(word: Word): ProgramEffects["paths"] {
  const { kind } = word;
  const text = textOfAll([word]); // a `?` of an address is no wildcard
  const [, name] = /^(?:--url=)?(?:https?:\/\/)?[^\s/]+\/(?:[^?#]*\/)?([^/?#]+)/.exec(kind === "open" ? "" : text) ?? [];
  return name === undefined || text.startsWith("-") ? [] : [{ word: literal(name), use: "writes" }];
}

/** Returns the saved files in the folder that the flag names. One of them may already be a symlink there. */
const savedBelow = (occurrences: ParsedArguments["occurrences"], folder: string, saved: readonly Word[]): NamedPath[] =>
  occurrences.flatMap(({ flag, value }) =>
    flag === folder && value
      ? saved.map((word) => ({ word: partOf(value, path.join(value.text, word.text)), use: "writes" as const }))
      : [],
  );

/** Returns the files whose content a flag sends: `-d @file`, `-F name=@file`, `-b cookies.txt`. */
function sentFiles(flag: string, word: Word | undefined): ProgramEffects["paths"] {
  const text = word?.text ?? "";
  if (!word || !/^(-[dFHbw]|--(data(-binary|-urlencode|-ascii)?|json|form|header|proxy-header|cookie|url-query|write-out))$/.test(flag))
    return [];
  const isForm = /^(-F|--form)$/.test(flag);
  const parts = isForm && /[@<]/.test(text) ? [...text.matchAll(/(?:^|[=,])"?[@<]?"?([^;,"=]+)/g)].map(([, each = ""]) => each) : [];
  const whole = /^(-b|--cookie)$/.test(flag) && !text.includes("=") ? text : undefined;
  const encoded = /^--(data-urlencode|url-query)$/.test(flag) ? /^[^=@]*@(.+)$/.exec(text)?.[1] : undefined;
  const file = whole ?? encoded ?? /(?:^|=)[@<]([^;]+)/.exec(text)?.[1];
  return [...(file === undefined ? [] : [file]), ...parts]
    .filter((each) => each !== "-")
    .map((each) => ({ word: word.kind === "open" ? word : partOf(word, each), use: each === file ? "reads" : "mentions" }));
}

/** Classifies `wget`. It saves under the last part of the address with its query, or as `index.html`, unless a flag says otherwise. */
export const wget: ProgramClassifier = ({ words }) => {
  const { effects, sorted } = readCall(writers["wget"], words);
  if (sorted.operands.length > MAX_ADDRESSES) return doubtful("names more addresses than can be judged");
  if (words.some(({ text }) => /^(-[a-zA-Z]*O|--output-document|--spider)/.test(text))) return effects;
  const saved = sorted.operands.flatMap(({ kind, text }): NamedPath[] => {
    const address = attempt(() => decodeURIComponent(text)) ?? text;
    const [, name = "", query = ""] = /^(?:\w+:\/\/)?[^/?#]*(?:\/(?:[^?#]*\/)?([^/?#]*))?(\?[^#]*)?/.exec(address) ?? [];
    return kind === "open" ? [] : [{ word: literal((name || "index.html") + query.replaceAll("/", "%2F")), use: "writes" }];
  });
  const files = [...words.flatMap(savedAs), ...saved];
  const names = files.map(({ word }) => word);
  const inFolder = ["-P", "--directory-prefix"].flatMap((flag) => savedBelow(sorted.occurrences, flag, names));
  return { ...effects, paths: [...effects.paths, ...files, ...inFolder] };
};

/** Classifies `scp` and `rsync`. They read local files and may send them. */
export const copier: ProgramClassifier = ({ name, words }) => {
  const effects = classifyByTable(writers[name], words);
  const isKey = (i: number) => name === "scp" && words[i - 1]?.text === "-i";
  const local = words.filter((word, i) => !word.text.startsWith("-") && !/^[^/]*:/.test(word.text) && !isKey(i));
  const mayBeTarget = words.slice(-2).some(({ kind, text }) => kind === "pattern" || text.startsWith("-")) ? local : []; // a flag or its value
  const isReceiving = words.some((word) => /^[^/]+:/.test(word.text)) && !/^[^/]*:/.test(words.at(-1)?.text ?? "");
  const last = words.at(-1);
  const sources = local.filter((word) => word !== last);
  const has = (letters: RegExp, long: RegExp) =>
    words.some(({ text }) => long.test(text) || (text.startsWith("-") && !text.startsWith("--") && letters.test(text)));
  const follows = has(name === "rsync" ? /[Lk]/ : /r/, /^--copy-(links|dirlinks|unsafe)/);
  const filling = name === "rsync" && has(/K/, /^--keep-dirl/) ? { search: { fills: true } } : {};
  const whole = name === "rsync" && last && has(/R/, /^--rel/) ? underOwnPaths(last, sources) : [];
  const pathOf = (word: Word): NamedPath => {
    if (word === last && isReceiving)
      return {
        word,
        use: "writes",
        ...filling,
        from: words.filter(({ text }) => /^[^-/][^/]*:/.test(text)).map(nameThere),
        isDownload: true,
      };
    if (word === last && local.length > 1) return { word, use: "edits", from: sources, ...filling };
    return { word, use: "searches", search: { follows } };
  };
  const others = mayBeTarget.map((word) => ({ word, use: "edits" as const, from: local, ...filling }));
  return { ...effects, paths: [...effects.paths, ...local.map(pathOf), ...others, ...whole] };
};

/** Returns the name that a file of another machine or of a container keeps here. */
const nameThere = ({ text }: Word): Word => literal(path.posix.basename(text.replace(/^[^:]*:/, "")));

/** Subcommands that only list what the default daemon has. */
const LISTS =
  /^((compose )?(ps|images|logs|version)|compose top|top(?= [\w.-]+$)|info|port|history|diff|inspect|search(?!.*[.:])|stats --no-stream|(compose|network|volume|context|image|container|system) (ls|inspect|df|history))( |$)/;

/** The flags after a verb, which may come after its operands when docker only lists. `-f` of `docker logs` has no value. */
const { flagsFirst: _, names: __, ...listing }: Table = verbTables["docker"]?.behind?.[""] ?? {};

/** Flags that name another daemon, or a file that configures the client. */
const ELSEWHERE = /^(-H|-c|-D|--?(host|context|config|tls|project-directory|file|env-file))/;

/** A call that prints the settings of containers, with the values of `.env` in them. */
const CONFIG = /^compose (.* )?config(?!.* (-q|--(quiet|services|images|profiles|volumes|networks|hash|no-interpolate)))( |$)/;

/** Classifies `docker`. A local folder that a container gets counts as changed. */
export const docker: ProgramClassifier = ({ words, isFirst }) => {
  const isPlain =
    words.every(({ kind, text }) => kind === "literal" && !ELSEWHERE.test(text)) && parseArguments(listing, words).unknown.length === 0;
  const files = words.filter((_, i) => /^(-f|--file|--env-file)$/.test(words[i - 1]?.text ?? "") && words[0]?.text === "compose");
  const read = files.map((word) => ({ word, use: "reads" as const }));
  if (isPlain && LISTS.test(textOfAll(words).replace(/^compose ((-p [\w-]+|-f (?!github\.com)[\w./][\w./-]*) )+/, "compose ")))
    return { ...HARMLESS, paths: read };
  const effects = classifyByTable(writers["docker"], words);
  if (effects.paths.some(({ word, use }) => use === "names" && word.kind === "open"))
    return { ...effects, doubts: [...effects.doubts, UNKNOWN_ARGUMENT] };
  // The context is the last word, or an earlier one in front of flags.
  const mayBeBuilt = ({ kind, text }: Word, i: number) =>
    i === words.length - 1 || (!text.startsWith("-") && !(kind === "open" ? /^-/ : /^(-t|--tag)$/).test(words[i - 1]?.text ?? ""));
  const built = /^((buildx|image|builder) )?build /.test(`${textOfAll(words)} `)
    ? words.filter((word, i) => i > 0 && mayBeBuilt(word, i))
    : [];
  const isUsual = isFirst === true && !words.some(({ text }) => /^(-\w*f|--file)/.test(text)); // earlier commands may change what is left out
  const outputs = words.flatMap((word) => [...word.text.matchAll(/(?:^|,)dest=([^,]+)/g)].map(([, to = ""]) => partOf(word, to)));
  const copied = words.slice(0, 6).some(({ text }) => text === "cp") ? copiedBy(words) : [];
  return {
    ...effects,
    paths: [
      ...effects.paths.flatMap((each) => (each.use === "names" ? mountedBy(each) : [each])),
      ...read,
      ...built.map((word) => ({ word, use: "reads" as const, ...(isUsual ? { search: { leavesOut: dockerIgnores } } : {}) })),
      ...outputs.map((word) => ({ word, use: "edits" as const, search: { fills: true } })),
      ...copied,
      ...(CONFIG.test(textOfAll(words)) ? [literal("."), ...files].map(envBeside) : []),
    ],
  };
};

/** Returns the local folder that `-v` or `--mount` gives to a container. Any other name is that of a volume. */
function mountedBy({ word }: NamedPath): NamedPath[] {
  const list = word.text.replaceAll('"', ""); // docker reads the list as one of CSV, with names in any case
  const named = /(?:source|src)=([^,]+)/i.exec(list)?.[1];
  const source = named ?? word.text.split(":")[0] ?? "";
  const isFolder = (named !== undefined && /(?:^|,)type=bind(?:,|$)/i.test(list)) || /^[./~]/.test(source);
  return isFolder ? [{ word: partOf(word, source), use: /:ro$|,(ro|readonly)(,|$)/.test(list) ? "searches" : "moves" }] : [];
}

/** Returns the `.env` in the folder of a compose file. Its values are a part of the settings. */
const envBeside = ({ text }: Word): NamedPath => ({ word: literal(path.join(path.dirname(text), ".env")), use: "mentions" });

/** Returns the local paths of `docker cp`. A path without a colon is on this machine. */
function copiedBy(words: readonly Word[]): ProgramEffects["paths"] {
  const [from, to] = words.filter(({ text }) => !text.startsWith("-")).slice(-2);
  const isHere = (word: Word | undefined) => word !== undefined && word.text !== "-" && !/^[\w.-]+:/.test(word.text);
  return [
    ...(from && isHere(from) ? [{ word: from, use: "searches" as const }] : []),
    ...(to && isHere(to)
      ? [{ word: to, use: "edits" as const, search: { fills: true }, ...(from && !isHere(from) ? { from: [nameThere(from)] } : {}) }]
      : []),
  ];
}
