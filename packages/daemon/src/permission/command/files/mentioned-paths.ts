import path from "node:path";
import { matchesWildcard } from "@baton/core/permission/wildcard";
import type { ProgramEffects, NamedPath } from "../programs/program-types.ts";
import { wordSet } from "../tables/name-matcher.ts";
import { braces, literal, textOfAll, type Word } from "../words/word.ts";
import { isCallFolder } from "./call-folders.ts";
import { CHANGING, toolCall } from "./development-tools.ts";
import { filesDerivedBy, OUTPUT, operandTraversal, type StartedCall } from "./tool-operands.ts";
import { attempt } from "./path-on-disk.ts";

/** Programs whose arguments name files on another machine. */
const ELSEWHERE = new Set("docker docker-compose podman podman-compose kubectl ssh".split(" "));

/** Verbs of these programs that take files of this machine or bring some to it. */
const TAKING = /^(apply|create|replace|patch|diff|kustomize|cp|push|pull|install|sideload)$/;

/** Flags with which any verb takes or makes one. */
const NAMES_FILE = /^(-[fk](?!\w*=)|--(filename|kustomize|kubeconfig|profile-output|cache-dir)(=|$))/;

/**
 * Returns the arguments and flag values of an unknown program that may name files: `--config=/tmp/x`, `-F .env`, `-oFILE`. The
 * gate judges what they name only as far as it exists.
 */
export function mentionedPaths({ name, words, inner = [literal(name), ...words] }: StartedCall): ProgramEffects["paths"] {
  if (ELSEWHERE.has(name) && !words.slice(0, 4).some(({ text }) => TAKING.test(text)) && !words.some(({ text }) => NAMES_FILE.test(text)))
    return [];
  const task = words.find(({ text }) => !/^-|^(run|run-script)$/.test(text));
  const isValue = (word: Word) => /^-(?!(j\d*|[Bknqs])$)[^=]*$/.test(words[words.indexOf(word) - 1]?.text ?? "");
  const isPart = ({ text }: Word) => TASKS.test(name) && /^:?[a-z][\w-]*(:[\w-]+)+$/i.test(text); // the part before `:` is no file
  const isTask = (word: Word) => /^[\w-]+$/.test(word.text) && !isValue(word) && (MAKES.test(name) || (TASKS.test(name) && word === task));
  const isLabel = ({ text }: Word) => /^(bazel(isk)?|ibazel|buck2?)$/.test(name) && /^-?(@*[\w.~+-]*)\/\//.test(text);
  const isText = (flag: string, text: string) =>
    (/^(gh|glab)$/.test(name) && IS_TEXT.test(flag)) || (flag === "--platform" && PLATFORM.test(text));
  const texts = words.filter(({ text }, i) => isText(words[i - 1]?.text ?? "", text));
  const local = words
    .filter((word) => !isLabel(word) && !texts.includes(word))
    .filter((word) => (ELSEWHERE.has(name) ? !/^[\w.-]+(\/[\w.-]+)?:/.test(word.text) : !isPart(word)));
  const isChanging = words.some(({ text }) => CHANGING.test(text));
  const [{ text: base } = literal(name), ...rest] = inner;
  const tool = toolCall(base, rest);
  const isTool = tool.leavesOut !== undefined || tool.keeps || (!isChanging && HERE.has(base));
  const traversal = operandTraversal({ name, words, inner }, tool);
  const isHere = (word: Word) =>
    isTool && /^\.{1,2}(\/|\/\.\.\.)?$/.test(word.text) && !OUTPUT.test(words[words.indexOf(word) - 1]?.text ?? "");
  const isPlain = name === "go" ? GO.test(textOfAll(words)) : !rest.some((word) => word.text.includes("/") && !isHere(word));
  // A task may have the name of a folder, as in `make docs`.
  const entered = new Set(words.filter((word, i) => isCallFolder(name, words, i) || isTask(word)));
  const pathsIn = (word: Word) =>
    pathsInWord(word).map((each) => ({ ...each, search: { ...traversal(word), ...each.search, ...(entered.has(word) ? NOT_BELOW : {}) } }));
  const named = local.flatMap((word): NamedPath[] =>
    isPlain && isHere(word) ? [{ word, use: "names" }] : (reportIn(word, words[words.indexOf(word) - 1]) ?? pathsIn(word)),
  );
  named.push(...filesDerivedBy(base, rest).map(suspect));
  return isChanging ? [...named, ...named.map((each) => ({ ...each, use: "edits" as const }))] : named;
}

/** Returns the report that a tool writes into the folder for temporary files, as in `--outputFile=/tmp/jest.json`. */
function reportIn({ text }: Word, before: Word | undefined): NamedPath[] | undefined {
  const [, flag = before?.text ?? "", file = text] = /^(-[\w-]+)=(.+)$/s.exec(text) ?? [];
  return REPORTS.test(flag) && REPORT.test(file) ? [{ word: literal(file), use: "writes" }] : undefined;
}

/** Flags before a file that a tool writes. A flag such as `--json` may also name one that it reads. */
const REPORTS =
  /^-(o|-?(out(put)?(-?file)?|(cover|cpu|mem|block|mutex)profile|(junit|json|html)-?(xml|report|output)(-?file)?|(report|result|log)s?-?file))$/i;
const REPORT = /^\/tmp\/\w[\w.-]*\.(json|xml|html|txt|log|out|err|csv|tsv|md|sarif|lcov|prof)$/;

/** Names of platforms, which a project often has folders for. */
const PLATFORM = /^(ios|android|web|macos|windows|linux|all)$/;

/** Flags of GitHub and GitLab before a text. */
const IS_TEXT = /^(-[tb]|--(title|body|subject|description))$/;

/** A program works in the folder itself, as if the shell had entered it. */
const NOT_BELOW = { leavesOut: () => () => true };

/** More tools for which their folder as an argument makes no difference. */
const HERE = wordSet("go govulncheck tsc vue-tsc tox nox make cmake ctest ninja pip pip3");
const GO =
  /^\w+( -(v|x|race|short|cover|failfast|json|benchmem|(o|coverprofile|covermode|count|run|bench|timeout|tags)[= ](?!\S*\.\.)\S+)| [\w.][\w./-]*)*$/;

/** Programs whose words without a path all name tasks. */
const MAKES = /^(g?make|ninja|rake|gradlew?|mvnw?)$/;
/** Programs whose words may name tasks such as `db:migrate`. */
const TASKS = /^(rails|rake|artisan|php|npm|pnpm|yarn|bun|mix|mvn|gradle|gradlew|task|just|nx)$/;

/** Returns the paths that a word may name: the word, the value of a flag, and the parts between separators, as in `src=a.txt,ro`. */
export function pathsInWord(word: Word): NamedPath[] {
  if (word.kind === "open") return [];
  const whole: NamedPath[] = word.kind === "pattern" ? [{ word, use: "mentions" }] : [];
  const values = [word.text, ...(word.text.includes("\\") ? [word.text.replaceAll(/[\\'"]/g, "")] : [])].flatMap(valuesIn); // some have escapes of their own
  const parts = values
    .flatMap((value) => (value.length < MAX_PARTED ? value.replace(PATTERN_LIST, "$1").split(/[=:@,;<>"'{}|%]+/) : []))
    .filter((part) => part !== "*" || !KEY_PATTERN.test(word.text));
  const texts = [...values, ...parts.flatMap(withoutSlashes), ...addressed(word.text)];
  return [...whole, ...[...new Set(texts)].flatMap((text) => [...mention(text), ...packed(text), ...globbed(text)])].map(suspect);
}

/** Returns a path without the slashes of an address. Behind three of them, a path may be relative (`sqlite:///data/app.db`). */
const withoutSlashes = (part: string): string[] => (/^\/{3}\w/.test(part) ? [part, part.slice(3)] : [part.replace(/^\/\/(?=\w|\.)/, "")]);

const suspect = (named: NamedPath): NamedPath => ({ ...named, search: { suspected: true, ...named.search } });

/** Returns the text, or the value attached to a flag: after `=`, and after each letter of a cluster. A long name before `=` is no cluster. */
function valuesIn(text: string): string[] {
  if (/^--?(bench|run|fuzz|skip)=\.$/.test(text)) return []; // all tests, not a folder
  // In go, `./src/...` is a folder. `gh release upload` takes a label behind the file.
  if (!text.startsWith("-")) return [...new Set([/^@/, /\/\.\.\.$/, /(?<=.)#.*$/s].map((form) => text.replace(form, "")))];
  const behind = /^-[\w-]+[=:]/.test(text) || text.includes("=") ? [text.slice(text.search(/[=:]/) + 1)] : [];
  const letters = /^-(?!-|[a-z]{4,}=)\w{1,11}/.exec(text)?.[0].length ?? 0;
  const attached = Array.from({ length: Math.max(0, letters - 1) }, (_, i) => text.slice(i + 2));
  return [...behind, ...attached].filter((value) => value.length > 1 || value === ".");
}

/** Returns the file in an address such as `file:///tmp/a%20b` or `file:a?mode=ro`. */
function addressed(text: string): string[] {
  const [, file] = /file:(?:\/\/(?=\/))?([^?#\s]+)/i.exec(text) ?? [];
  return file === undefined ? [] : [attempt(() => decodeURIComponent(file)) ?? file]; // a percent sign may encode nothing
}

/** Returns `yarn.lock` for `yarn.lock.gpg`. A program that unpacks or decrypts creates a file with that name. */
function packed(text: string): NamedPath[] {
  const shorter = /^(.*\w\.\w+)[._-]\w+$/.exec(text)?.[1];
  return shorter === undefined ? [] : mention(shorter);
}

const KEY_PATTERN = /^\w[\w-]*(:[\w*-]+)+$/; // of a database, such as `user:*:name`
const PATTERN_LIST = /^([\w./*-]*)\{[^{}]*,[^{}]*\}\/[^=:@,;<>"'{}|]*/; // the names in `{a,b}/*.c` are parts of a pattern
const GLOB = /[*?[{(]|[!+@]\(/;

/** Returns the files that may match a pattern which the program expands itself. They are below the folder at the start of the pattern. */
function globbed(text: string): NamedPath[] {
  const start = text.search(GLOB);
  if (start < 0 || text.length > MAX_PARTED || /[\s\n]/.test(text)) return [];
  const folder = text.slice(0, start).replace(/[^/]*$/, "") || ".";
  const rest = text.slice(folder === "." ? 0 : folder.length);
  const starred = rest.replaceAll(/\[\]?[^\]]*\]?|[!+@?*]?\([^)]*\)?|[*?]+/g, "@").replaceAll(/@\/+(\.?\/+)*/g, "@");
  const patterns = (braces(starred) ?? [starred.replaceAll(/\{[^}]*\}?/g, "@")]).map((each) =>
    path.posix.normalize(each.replaceAll("@", "*")),
  );
  const isElsewhere = /^(\/|\.\.)/.test(folder) || patterns.some((pattern) => /^(\/|\.\.)/.test(pattern)); // it may lead back here
  const ends = patterns.map((pattern) => (isElsewhere ? `*${path.posix.basename(pattern)}` : pattern));
  const leavesOut = () => (_: string, below: string) => !ends.some((pattern) => matchesWildcard(pattern, below));
  const namesKeys = patterns.map((each) => path.posix.basename(each)).some((name) => /[^*.]/.test(name) && !WITHOUT_KEYS.test(name));
  const more = isElsewhere && text.includes("/", start) ? ["."] : [];
  return [folder, ...more].map((place) => ({ word: literal(place), use: "mentions", search: { leavesOut, namesKeys } }));
}

/** Endings of files that hold no keys. The gate does not look for keys among them. */
const WITHOUT_KEYS =
  /\.([cm]?[jt]sx?|py|go|rs|rb|php|java|kt|cs|c|cc|cpp|h|hpp|s?css|less|html|vue|svelte|mdx?|sql|csv|parquet|svg|png|proto|graphql|sh)$/;

const MAX_PARTED = 300;

/** Returns a text as a path, if it may name a file. */
export function mention(text: string | undefined): NamedPath[] {
  const isPath = text !== undefined && text !== "" && text.length < MAX_CHARACTERS && !text.startsWith("-") && !/:\/\/|[\n\0]/.test(text);
  return isPath ? [{ word: literal(text), use: "mentions" }] : [];
}

const MAX_CHARACTERS = 1_000;
