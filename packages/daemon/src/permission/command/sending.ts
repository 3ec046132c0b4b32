import { byTable } from "./by-table.ts";
import { doubtful, OPEN, type Deeds, type Program } from "./program.ts";
import { writers } from "./table/writers.ts";
import { literal, type Word } from "./word.ts";

const SENT =
  /^(-d|--data|--data-binary|--data-urlencode|--data-ascii|--json|-F|--form|-H|--header|--proxy-header|-b|--cookie|--url-query|-w|--write-out)$/;

/** `curl`: what it sends may come out of files, and what it gets may go into one. */
export const curl: Program = ({ words }) => {
  const deeds = byTable(writers["curl"] ?? {}, words);
  if (words.some(({ text }) => /^-?\w*=?file:/i.test(text))) return doubtful("reads a file by its address");
  if (words.some(({ text }) => METADATA.test(text))) return doubtful("asks the machine's own metadata service");
  return { ...deeds, paths: [...deeds.paths, ...words.flatMap((word, i) => sentFile(word, words[i - 1]))] };
};

const METADATA = /(^|[/@.])(169\.254\.|metadata\.google|100\.100\.100\.200|\[?fd00:ec2)/i;

function sentFile(word: Word, before: Word | undefined): Deeds["paths"] {
  const [, flag, attached] = /^(--[a-z-]+)=(.*)$/s.exec(word.text) ?? /^-[a-zA-Z]*?([dFHbw])(.+)$/s.exec(word.text) ?? [];
  const isAttached = flag !== undefined && SENT.test(flag.length === 1 ? `-${flag}` : flag);
  const isValue =
    before !== undefined && /^-[a-zA-Z]*[dFHbw]$|^--/.test(before.text) && (SENT.test(before.text) || /^-[a-zA-Z]+$/.test(before.text));
  const value = isAttached ? attached : isValue ? word.text : undefined;
  const [, file] = /(?:^|=)[@<]([^;]+)/.exec(value ?? "") ?? [];
  return file === undefined || file === "-" ? [] : [{ word: word.kind === "open" ? word : literal(file), use: "reads" }];
}

/** `scp`, `rsync`: whatever lies on this machine is read, and may be sent. */
export const copier: Program = ({ name, words }) => {
  const deeds = byTable(writers[name] ?? {}, words);
  const local = words.filter((word) => !word.text.startsWith("-") && !/^[^/]*:/.test(word.text));
  const isReceiving = words.some((word) => /^[^/]+:/.test(word.text)) && !/^[^/]*:/.test(words.at(-1)?.text ?? "");
  const last = words.at(-1);
  return {
    ...deeds,
    paths: [
      ...deeds.paths,
      ...local.map((word) => ({ word, use: isReceiving && word === last ? ("writes" as const) : ("reads" as const) })),
    ],
  };
};

/** What only lists, of the daemon that is meant when nothing else is said. */
const LISTS = /^((compose )?(ps|images|logs|top|version)|info|port|(compose|network|volume|context) ls)( |$)/;

/** Flags that name another daemon, or what the client is steered by. */
const ELSEWHERE = /^(-H|-c|-D|--?(host|context|config|tls|project-directory|file|env-file))/;

/** `docker`: a folder of this machine that a container gets is as good as changed. */
export const docker: Program = ({ words }) => {
  const isPlain = words.every(({ kind, text }) => kind === "literal" && !ELSEWHERE.test(text));
  if (isPlain && LISTS.test(words.map(({ text }) => text).join(" "))) return { reads: true, paths: [], doubts: [] };
  const deeds = byTable(writers["docker"] ?? {}, words);
  const named = words.flatMap((word, i) => {
    const [, attached] = /^(?:-v|--volume|--mount)=?(.+)$/s.exec(word.text) ?? [];
    const value = /^(-v|--volume|--mount)$/.test(words[i - 1]?.text ?? "")
      ? word
      : attached === undefined
        ? undefined
        : word.kind === "open"
          ? word
          : literal(attached);
    return value ? [value] : [];
  });
  if (named.some(({ kind }) => kind === "open")) return { ...deeds, doubts: [...deeds.doubts, OPEN] };
  const sources = named
    .map(({ text }) => /(?:source|src)=([^,]+)/.exec(text)?.[1] ?? text.split(":")[0] ?? "")
    .filter((source) => /^[./~]/.test(source));
  const files = words.filter((_, i) => /^(-f|--file|--env-file)$/.test(words[i - 1]?.text ?? "") && words[0]?.text === "compose");
  return {
    ...deeds,
    paths: [
      ...deeds.paths,
      ...sources.map((text) => ({ word: literal(text), use: "edits" as const })),
      ...files.map((word) => ({ word, use: "reads" as const })),
    ],
  };
};

/** `make`: a variable on the command line may be the shell it uses. */
export const make: Program = ({ words }) => {
  const deeds = byTable(writers["make"] ?? {}, words);
  const odd = words.find(({ text }) => /^(SHELL|\.SHELLFLAGS|MAKEFLAGS|MAKEFILES|MFLAGS)\W?=/.test(text) || /^\w+\W?=.*[/\s`$]/.test(text));
  return odd ? { ...deeds, doubts: [...deeds.doubts, `sets ${odd.text.split("=")[0]} for what make runs`] } : deeds;
};
