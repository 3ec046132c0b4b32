import path from "node:path";
import { mention } from "../files/mentioned-paths.ts";
import { classifyByTable } from "../programs/classify-by-table.ts";
import { parseArguments } from "../programs/parse-arguments.ts";
import {
  HARMLESS,
  doubtful,
  UNKNOWN_ARGUMENT,
  type NamedPath,
  type ProgramEffects,
  type ProgramClassifier,
} from "../programs/program-types.ts";
import type { Table } from "../tables/argument-table.ts";
import { parseRevisionPath, SHOWING } from "./printed-files.ts";
import { isStagedOnly, negates, pathsMadeByGit, restoredPaths, restoresMoreThanFiles } from "./changed-paths.ts";
import { isSecretName } from "../files/key-files.ts";
import { nameMatcher } from "../tables/name-matcher.ts";
import { gitTables } from "../tables/git.ts";
import { anyMatches, literal, type Word } from "../words/word.ts";

const FLAGS = "--exec-path --no-pager -P --no-optional-locks --no-replace-objects --version --help -v -h";
const global: Table = { flags: FLAGS, valued: "-c", names: "-C" };
const VALUED = new Set("-c -C --git-dir --work-tree --exec-path --namespace --config-env --super-prefix".split(" "));
const isHarmlessKey = nameMatcher(`user.name user.email color.* core.quotepath core.autocrlf core.eol core.abbrev core.longpaths
  core.filemode core.ignorecase advice.* init.defaultbranch commit.gpgsign tag.gpgsign diff.renames diff.algorithm diff.context
  diff.noprefix diff.colormoved log.decorate log.date log.abbrevcommit log.follow pull.rebase pull.ff push.default protocol.version merge.conflictstyle column.ui`);
const isHarmlessSetting = (setting: string): boolean =>
  /^core\.(pager=(cat)?|editor=(true|:))$/i.test(setting) ||
  (setting.includes("=") && isHarmlessKey(setting.slice(0, setting.indexOf("=")).toLowerCase()));

/** Classifies `git`: first its own flags, then those of the subcommand. Anything that would run something else raises a doubt. */
export const git: ProgramClassifier = (call) => {
  const at = call.words.findIndex((word, i) => !isGlobal(word) && !VALUED.has(call.words[i - 1]?.text ?? ""));
  const own = parseArguments(global, at < 0 ? call.words : call.words.slice(0, at));
  if (call.words.slice(0, Math.max(at, 0)).some(({ text }) => /^-c./.test(text))) return doubtful("git -c changes what git does");
  if (own.unknown.length > 0) return doubtful(`git ${own.unknown[0]} changes what git runs or where it works`);
  const settings = call.words.slice(0, Math.max(at, 0)).filter((_, i) => call.words[i - 1]?.text === "-c");
  const setting = settings.find((word) => word.kind !== "literal" || !isHarmlessSetting(word.text));
  if (setting) return doubtful(`git -c ${setting.text.slice(0, 60)} changes what git does`);
  if (own.isOpen || call.words.slice(0, Math.max(at, 0)).some(({ kind }) => kind !== "literal")) return doubtful(UNKNOWN_ARGUMENT);
  // With an editor that does nothing, `rebase -i` works like `rebase` without `-i`.
  const hasEditor = call.settings?.includes("GIT_SEQUENCE_EDITOR") === true && call.words[at]?.text === "rebase";
  const operation = at < 0 ? [] : call.words.slice(at).filter(({ text }) => !(hasEditor && /^(-i|--interactive)$/.test(text)));
  const [first, ...words] = operation;
  if (!first) return { reads: true, paths: own.paths, doubts: [] };
  if (first.kind !== "literal") return doubtful(UNKNOWN_ARGUMENT);
  if (words.length === 1 && words[0]?.text === "--help") return { reads: true, paths: own.paths, doubts: [] };
  const effects = subCommand(first.text, words);
  const plainly = at > 0 ? { plainly: [literal("git"), first, ...words] } : {};
  const isSummary = first.text === "log" && words.every(({ text }) => SUMMARY.test(text));
  const shown = SHOWING.has(first.text) && !isSummary ? words.flatMap(shownBy) : [];
  const inPlace = [
    ...effects.paths,
    ...(/^(check-ignore|check-attr|ls-files|ls-tree|status)$/.test(first.text)
      ? []
      : words.filter((_, i) => !isText(first.text, words, i)).flatMap(fileOf)),
    ...shown,
    ...pathsMadeByGit(first.text, words),
  ];
  const places = own.occurrences.flatMap(({ flag, value }) => (flag === "-C" && value ? [value.text] : []));
  const all = OPENS_FILES.test(first.text) ? inPlace : inPlace.flatMap((named) => [named, ...lexically(named)]);
  return { ...effects, ...plainly, paths: [...own.paths, ...all.map((named) => ({ ...named, word: placed(named.word, places) }))] };
};

/** True for the value of `-L`, and for a text that a flag of `git log` looks for, if it is a part of the same word. */
function isText(name: string, words: readonly Word[], i: number): boolean {
  const end = words.findIndex(({ text }) => text === "--");
  if (end >= 0 && end < i) return false;
  const isLog = /^(log|shortlog|rev-list|whatchanged|show|blame|annotate|diff)$/.test(name);
  return isLog && (words[i - 1]?.text === "-L" || /^--(grep|author|committer)=./.test(words[i]?.text ?? ""));
}

/** Subcommands whose operands the system opens. For others, git takes `..` as text and does not follow a link in front of it. */
const OPENS_FILES = /^(hash-object|merge-file|apply|bundle|clone|init|archive|format-patch)$/;
const lexically = (named: NamedPath): NamedPath[] =>
  named.word.kind === "literal" && /\/\.\.(\/|$)/.test(named.word.text)
    ? [{ ...named, word: literal(path.posix.normalize(named.word.text)) }]
    : [];

/** Words with which `git log` prints nothing of the files. */
const SUMMARY =
  /^([^-]|--?$|-(\d+|n|-(oneline|graph|stat|shortstat|all|follow|reverse|decorate|no-merges|name-(only|status)|(format|pretty|date|since|until|author)=.*))$)/;

/** Resolves a path from the folder of `-C`. */
const placed = (word: Word, places: readonly string[]): Word =>
  places.length === 0 || word.kind === "open" || word.text.startsWith("/") ? word : { ...word, text: [...places, word.text].join("/") };

/** Returns the files that a word names directly. Most other words are names of commits, so only existing files count. */
function shownBy(word: Word): ProgramEffects["paths"] {
  if (word.kind === "pattern") return [{ word, use: "mentions" }];
  if (word.kind === "open" || word.text.startsWith("-")) return [];
  if (parseRevisionPath(word.text) || word.text.startsWith(":(exclude)")) return [];
  const file = word.text.replace(/^:(\([^)]*\)|\/|\d:)?/, "");
  const lexical = file.includes("../") ? [path.posix.normalize(file)] : []; // git does not follow links in front of `..`
  return [file, ...lexical].flatMap(mention);
}

/** Returns paths outside of the repository, which git reads as plain files, and names of secret files. */
function fileOf(word: Word): ProgramEffects["paths"] {
  if (word.kind === "open") return [];
  const text = word.text.replace(/^(--[\w-]+=|-[A-Z](?=\/|\.\.))/, "");
  if (/^(\/|\.\.(\/|$))|\/\.\.(\/|$)/.test(text)) return [{ word: word.kind === "literal" ? literal(text) : word, use: "names" }];
  const named = word.text.replace(/^[^:]*:(\.\/)?/, "");
  return isSecretName(named) ? [{ word: literal(named), use: "reads" }] : [];
}

const isGlobal = (word: Word): boolean => word.kind === "literal" && word.text.startsWith("-");

/** Flags that choose where `git config` looks. They make no difference to a read. */
const SCOPE = /^--(local|global|system|worktree|show-origin|show-scope|name-only)$/;

function subCommand(name: string, all: readonly Word[]): ProgramEffects {
  const verb = GROUPS.has(name) ? all.findIndex((word) => !isGlobal(word)) : 0; // `git remote -v add` is `git remote add -v`
  const sorted = verb > 0 ? [...all.slice(verb, verb + 1), ...all.slice(0, verb), ...all.slice(verb + 1)] : all;
  const words = name === "config" ? all.slice(all.findIndex(({ text }) => !SCOPE.test(text))) : sorted;
  const [second] = words;
  if (name === "config" && words.length === 1 && second?.kind === "literal" && /^[a-z][\w-]*\./i.test(second.text)) return HARMLESS;
  const both = second?.kind === "literal" ? `${name} ${second.text}` : undefined;
  const found =
    both !== undefined && Object.hasOwn(gitTables, both)
      ? { table: gitTables[both], rest: words.slice(1) }
      : { table: Object.hasOwn(gitTables, name) ? gitTables[name] : undefined, rest: words };
  const isUnknownPart =
    GROUPS.has(name) && second !== undefined && !second.text.startsWith("-") && (both === undefined || !Object.hasOwn(gitTables, both));
  if (!found.table || isUnknownPart) {
    const verb = both !== undefined && GROUPS.has(name) ? both : name;
    return { ...doubtful(), beyond: { verb: `git ${verb}`, why: "a grant for the whole program does not cover this verb" } };
  }
  const effects = classifyByTable(found.table, found.rest);
  const losses = restoresMoreThanFiles(name, words) ? [DISCARDS_UNCOMMITTED] : lossOf(name, words);
  const doubts = [...effects.doubts, ...losses, ...codeOf(name, words)];
  const paths = [...effects.paths, ...restoredPaths(name, words).map((word) => ({ word, use: "edits" as const }))];
  if (name === "add" && flagged(words, "f", "--force")) paths.push(...words.map((word) => ({ word, use: "searches" as const }))); // ignored files
  const isRun = name === "bisect" && second?.text === "run" && words.length > 1;
  const runs = isRun ? { runs: [{ words: words.slice(1), more: "none" as const }] } : {};
  return { ...effects, paths, reads: effects.reads && doubts.length === 0, doubts, ...runs };
}

/** Subcommands that have subcommands of their own. */
const GROUPS = new Set("remote submodule worktree lfs sparse-checkout bundle".split(" "));

export const DISCARDS_UNCOMMITTED = "throws away changes that are not committed";

const NO_BRANCH = "may leave commits without a branch";
const FORCE_PUSH = "rewrites or deletes what others may have (force push)";
const LOST = "deletes what lost work is found by";

/** An address such as `https://host/x`, `git@host:x` or `/folder`, not the name of a remote. */
const ADDRESS = /^(--r\w*=)?(\w[\w+.-]*:\/\/|[\w.-]+@[\w.-]+:|[\w-]+\.[\w.-]+:|\/|\.\.?\/)/;

/** Subcommands that lose work for good, with the flags or the words that make them do so. Flags are letters and long flags. */
const LOSSES: readonly (readonly [names: string, flags: readonly [letters: string, long: string] | RegExp, why: string])[] = [
  ["push", ["fd", "--force --force-with-lease --force-if-includes --mirror --delete --prune"], FORCE_PUSH],
  ["push", /^(\+.*|:.+)$/, FORCE_PUSH],
  ["push", ADDRESS, "sends to an address instead of a remote"],
  ["pull fetch", ["f", "--force"], NO_BRANCH],
  ["pull fetch", /^\+|^--(st|refm|prune-)|^-\w*P/, NO_BRANCH],
  ["pull fetch", ADDRESS, "takes what an address has, instead of a remote"],
  ["reset", ["", "--hard --merge --keep"], DISCARDS_UNCOMMITTED],
  ["clean", ["fi", "--force --interactive"], "deletes files that git does not know"],
  ["checkout restore", ["B", ""], NO_BRANCH],
  ["checkout restore", ["f", "--force"], DISCARDS_UNCOMMITTED],
  ["checkout restore", /^(\.|\.\/|:\/|\*|:\/?\.)$/, DISCARDS_UNCOMMITTED],
  ["switch", ["C", "--force-create"], NO_BRANCH],
  ["switch", ["f", "--force --discard-changes"], DISCARDS_UNCOMMITTED],
  ["tag", ["df", "--delete --force"], "moves or deletes a tag"],
  ["stash", /^--paths/, "takes the names of files from a file"],
  ["stash", /^(clear|drop)$/, "deletes what was put aside"],
  ["stash", /^(-\w*a|--al?l?$)/, "puts ignored files, which may hold keys, where git shows them"],
  ["branch", ["DMCf", "--force"], NO_BRANCH],
  ["worktree", ["B", ""], DISCARDS_UNCOMMITTED],
  ["reflog", /^(expire|delete|drop|write)$/, LOST],
  ["gc", ["", "--prune"], LOST],
];

/** Returns the reasons why a call loses work for good. */
function lossOf(name: string, words: readonly Word[]): string[] {
  if (name === "update-ref" || name === "prune") return [name === "prune" ? LOST : "moves or deletes branches without a look"];
  if (name === "rm" && words.some(({ kind, text }) => kind === "literal" && /^:|[*?[]|^--paths/.test(text)))
    return ["names files by a pattern that git reads itself"];
  const isForced = flagged(words, "f", "--force");
  if (name === "rm" && flagged(words, "r", "") && !flagged(words, "n", "--cached --dry-run"))
    return ["deletes a folder with all that is in it"];
  if (
    isForced &&
    ((name === "rm" && !(flagged(words, "", "--cached") && !negates(words, "cached"))) ||
      (name === "worktree" && anyMatches(words, /^remove$/)))
  )
    return [DISCARDS_UNCOMMITTED];
  if (/^(fetch|pull)$/.test(name) && flagged(words, "p", "--prune") && words.some(({ text }) => /^[^-].*:/.test(text))) return [NO_BRANCH];
  const loss = LOSSES.find(
    ([names, flags]) => names.split(" ").includes(name) && (flags instanceof RegExp ? anyMatches(words, flags) : flagged(words, ...flags)),
  )?.[2];
  return loss === undefined || (loss === DISCARDS_UNCOMMITTED && name === "restore" && isStagedOnly(words)) ? [] : [loss];
}

/** True if the words in front of `--` contain one of these flags: a letter, alone or combined, or a long flag, maybe shortened. */
function flagged(words: readonly Word[], letters: string, long: string): boolean {
  const dashes = words.findIndex(({ kind, text }) => kind === "literal" && text === "--");
  const isMeant = (text: string) =>
    text.startsWith("--")
      ? text.length > 2 && long.split(" ").some((flag) => flag.startsWith(text.split("=")[0] ?? ""))
      : /^-[A-Za-z0-9]/.test(text) && letters.split("").some((letter) => text.includes(letter));
  return words.slice(0, dashes < 0 ? undefined : dashes).some(({ text }) => isMeant(text));
}

/** Returns doubts about arguments that name programs, including addresses that do so. */
function codeOf(name: string, words: readonly Word[]): string[] {
  if (anyMatches(words, name === "remote" ? /::/ : /^-?[\w=-]*ext::|^fd::/)) return ["names a program as an address"];
  if (name === "symbolic-ref" && !/^(HEAD|refs\/.*)$/.test(words.find(({ text }) => !text.startsWith("-"))?.text ?? "HEAD"))
    return ["writes into the folder of git"];
  if (name === "submodule" && anyMatches(words, /^foreach$/)) return ["runs a command in every submodule"];
  if (anyMatches(words, /^--sub\w*=(?!short$|log$)/)) return ["prints changes in submodules"];
  const sortsBySignature = words.some(
    ({ text }, i) => /^--sort(=|$)/.test(text) && /^-?\*?signature/.test(text.slice(7) || (words[i + 1]?.text ?? "")),
  );
  if (sortsBySignature || anyMatches(words, /^--show-sig|%\(\*?signature/s) || (name !== "commit" && anyMatches(words, /%[-+ ]?G/s)))
    return ["checks signatures with another program"];
  if (name === "bisect" && anyMatches(words, /^(view|visualize)$/)) return ["runs another program"];
  if (name === "bisect" && anyMatches(words, /^run$/) && words[1]?.text.includes("/")) return ["runs files of other commits"];
  const isLook = anyMatches(words, LOOKING) && words.every(({ text }) => !text.startsWith("-") || LOOKING.test(text));
  if (name === "apply" && !isLook) return ["applies a patch that is known only when it runs"];
  if (name === "grep" && anyMatches(words, /^-O/)) return ["opens what it finds with a program"];
  return [];
}

/** Flags with which `git apply` changes nothing. */
const LOOKING = /^--(check|stat|numstat|summary)$/;
