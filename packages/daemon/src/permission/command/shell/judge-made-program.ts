import path from "node:path";
import { matchesWildcard } from "@baton/core/permission/wildcard";
import { finalPath, foldersFrom, isBelow, pathKind, startOf } from "../files/path-on-disk.ts";
import { mention, pathsInWord } from "../files/mentioned-paths.ts";
import { isDevelopmentTool } from "../files/development-tools.ts";
import { READ_BY_PEOPLE } from "../files/scratch-files.ts";
import { isKnownProgram } from "../programs/classify-program.ts";
import { isOfProcess } from "../files/process-folders.ts";
import type { GateFindings } from "../gate-findings.ts";
import { roughWordsOf } from "../programs/calls-by-name.ts";
import type { NamedPath } from "../programs/program-types.ts";
import type { WrittenText } from "../programs/printed-text.ts";
import { COMPOSE_FILES } from "../programs/choosing-files.ts";
import { isShell, readsCode } from "../programs/shell-program.ts";
import { isCertain, type Word } from "../words/word.ts";
import { writtenScript } from "./written-script.ts";
import { judgeTexts, plainTest } from "./judge-project-code.ts";
import { judgePath } from "./judge-path.ts";
import type { ShellContext } from "./shell-context.ts";
import type { JudgeOptions } from "./walker-types.ts";
import { resolvePath } from "../files/physical-path.ts";

/** A program that may run a file of the text. */
type Runner = { name: string; base: string; rest: readonly Word[] };

/** Files with commands that a program runs without an argument that names them. */
const RUN_FILES: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(["make", "gmake", "bmake"].map((name) => [name, ["Makefile", "makefile", "GNUmakefile"]])),
  ...Object.fromEntries(["foreman", "honcho", "overmind", "goreman", "hivemind"].map((name) => [name, ["Procfile"]])),
  scons: ["SConstruct", "Sconstruct", "sconstruct"],
  snakemake: ["Snakefile", "snakefile", "workflow/Snakefile", "workflow/snakefile"],
  meson: ["meson.build"],
  ninja: ["build.ninja"],
  task: ["Taskfile.yml", "taskfile.yml", "Taskfile.yaml", "taskfile.yaml"],
  ant: ["build.xml"],
  just: ["justfile", "Justfile", "JUSTFILE", ".justfile"],
  ...Object.fromEntries(["docker", "docker-compose", "podman", "podman-compose"].map((name) => [name, COMPOSE_FILES])),
  ...Object.fromEntries(["npm", "pnpm", "yarn", "bun"].map((name) => [name, ["package.json"]])),
};

/** Returns the files that are among those of the text, and that the program is, runs as a script, or takes its commands from. */
export function filesRunBy({ name, base, rest }: Runner, files: ReadonlySet<string>, { cwds, place }: ShellContext): string[] {
  if (files.size === 0) return [];
  const module = rest[rest.findIndex(({ text }) => text === "-m") + 1]?.text.replaceAll(".", "/");
  const script = base.startsWith("python") && rest.some(({ text }) => text === "-m") ? module : scriptIn(rest);
  // An interpreter may add an ending, or take a file of the folder.
  const scripts = script === undefined || !readsCode(base) ? [] : [script, ...(isShell(base) ? [] : [`${script}.*`, `${script}/*`])];
  if (/^(go|java|kotlin|swift|dart|zig)$/.test(base)) scripts.push(...rest.map(({ text }) => text)); // they take code in any argument
  const taken = Object.hasOwn(RUN_FILES, base) ? (RUN_FILES[base] ?? []) : [];
  const values = taken.length > 0 ? ["", ...rest.map(({ text }) => text.replace(/^(-[A-Za-z]*[fCd]|--[\w-]+=)/, ""))] : [];
  return cwds.flatMap((cwd) => {
    const places = values.map((value) => resolvePath(cwd, value));
    const named = places.flatMap((each) => values.map((value) => path.resolve(each, value)));
    const found = places.flatMap(foldersFrom).flatMap((folder) => taken.map((file) => path.join(folder, file)));
    const all = [resolvePath(cwd, name), ...named, ...found, ...scripts.map((each) => resolvePath(cwd, each))];
    const patterns = scripts.map((each) => resolvePath(cwd, each.replaceAll(/\[[^\]]*\]/g, "?")));
    const matched = [...files].filter((file) => patterns.some((pattern) => matchesWildcard(pattern, file)));
    return [...new Set([...all, ...all.map((file) => finalPath(file, place.realFolders)), ...matched])].filter((file) => files.has(file));
  });
}

/** Returns the first word that is neither a flag, nor the value of one, nor a verb. */
const scriptIn = (words: readonly Word[]): string | undefined =>
  words.find(({ text }, i) => !text.startsWith("-") && !TAKES_VALUE.test(words[i - 1]?.text ?? "") && !(i < 2 && VERB.test(text)))?.text;
/** Flags of interpreters with a value in the next word. */
const TAKES_VALUE =
  /^(-[WXCrtpLI]|--(conditions|max-old-space-size|input-type|require|import|loader|threads|project|config|import-map|env-file|check-hash-based-pycs))$/;
const VERB = /^(run|watch|test|serve|exec)$/;

/**
 * Judges a program that runs files which the text itself has made. `files` is empty if this is not certain. Then only limits apply to the
 * paths in the text. A shell script counts like commands of the text.
 */
export function judgeMadeProgram(program: Runner, files: readonly string[], look: JudgeOptions): void {
  const { context, findings } = look;
  const isMade = files.length > 0;
  const isRead = isMade && judgeWrittenCommands(program, files, look);
  if (isRead && !readsOtherCode(program.base)) return;
  const touched = isMade ? findings : { ...findings, accesses: [], doubts: new Set<string>() };
  // A dot or a slash in the text is mostly a part of an expression, or the folder in which a tool works anyway.
  const written = findings.written.map(({ text }) => text).join("\n");
  const { workspace, text: whole } = context.place;
  const around = context.cwds.flatMap(foldersFrom).filter((folder) => isBelow(folder, workspace));
  const entered = new Set([workspace, ...context.cwds, ...around]); // a program works there without a word about it
  const isEntered = (text: string) => [workspace, ...context.cwds].some((cwd) => entered.has(path.resolve(cwd, text)));
  const paths = roughWordsOf(isRead ? written : `${whole}\n${written}`).flatMap(({ text }) =>
    /\w/.test(text) && !isEntered(text) ? mention(text) : [],
  );
  // Such a program may also change these files, so denies of edits apply.
  const isNamed = (file: string) => program.rest.some(({ text }) => text.includes(path.basename(file)));
  const mayEdit = isMade || [...findings.made].some((file) => !READ_BY_PEOPLE.test(file) || isNamed(file));
  const folders = [...findings.made]
    .flatMap((file) => foldersFrom(path.dirname(file)))
    .filter((folder) => isBelow(folder, context.place.workspace));
  const places = { ...context, cwds: [...new Set([...context.cwds, ...folders])] }; // a path in a file may begin at its folder
  const globs = mayEdit ? roughWordsOf(written).filter(({ text }) => /\w[^]*[*?]|[*?][^]*\w/.test(text)) : [];
  for (const named of [...paths, ...globs.flatMap(pathsInWord)])
    judgePath(mayEdit ? { ...named, search: { ...named.search, suspected: true } } : named, places, touched);
  if (isMade) return;
  findings.accesses.push(...touched.accesses.map(({ floor: _, ...each }) => ({ ...each, suspected: true as const })));
  const others = withoutScript(findings, context);
  const tests = others.written.map((each) => plainTest(each, findings, context));
  if (mayLoadUnreadCode(program, { ...others, written: others.written.filter((_, i) => !tests[i]) }))
    findings.doubts.add("may run code that the text writes");
  else for (const test of tests) if (test) judgeTexts(test, look);
}

/** Returns the findings without the text of the script that the program runs, which the gate has read, if no other file has its name. */
function withoutScript(findings: GateFindings, { script, place }: ShellContext): GateFindings {
  if (!script) return findings;
  const paths = [script.file, finalPath(script.file, place.realFolders)];
  const name = path.basename(script.file);
  const isOnly = [...findings.made].every((file) => path.basename(file) !== name || paths.includes(file));
  return isOnly ? { ...findings, written: findings.written.filter(({ files }) => files?.length !== 1 || files[0] !== name) } : findings;
}

/** True if the text writes code, and the program may run it. A checker runs only what its settings or flags name. */
function mayLoadUnreadCode({ name, base, rest }: Runner, { made, written: texts, computed, edited, origins }: GateFindings): boolean {
  const written = texts.filter(({ text, isKnown }) => !isKnown || text.trim() !== "");
  const isFlagged = rest.some(({ text }, i) => CODE.test(text) && /^-(?!-(check|fix|write|quiet|noEmit)$)/.test(rest[i - 1]?.text ?? ""));
  const tool = /^(npx|bunx|pnpx|uvx)$/.test(base) ? (rest.find(({ text }) => !text.startsWith("-"))?.text ?? "") : base;
  const call = `${base} ${rest.find(({ text }) => !text.startsWith("-"))?.text}`;
  const isChecker =
    (RUNS_NO_CODE.test(tool) || COMPILES.test(call)) && !isFlagged && ![...made].some((file) => CONFIGURES.test(path.basename(file)));
  const isWritten = (file: string) => written.some(({ files }) => files?.includes(path.basename(file)));
  const filled = [...origins.keys(), ...computed, ...edited, ...written.flatMap(({ files = [] }) => files)];
  if (RUNS_SHELL.test(name) && filled.some((file) => /\.(ba)?sh$/.test(file))) return true; // a script may include another one
  const hidden = [...computed, ...[...edited].filter(isWritten)].filter((file) => CODE.test(file) || MANIFEST.test(file));
  const isNamed = (file: string) => !file.includes(".") && rest.some(({ text }) => path.basename(text) === file);
  if (!isChecker && written.some(({ files = [] }) => files.some(isNamed))) return true;
  return !isChecker && (hidden.length > 0 || written.some(({ files = [] }) => files.some((file) => CODE.test(file))));
}

/** The name of a shell, or the path of a script. */
export const RUNS_SHELL = /^(ba|da)?sh$|\/.*\.(ba)?sh$/;
const MANIFEST = /(^|\/)(package\.json|Cargo\.toml|pyproject\.toml|\.\w+rc(\.json)?)$/;
const CODE =
  /\.([cm]?[jt]sx?|py|rb|go|rs|php|pl|lua|java|kts?|swift|cs|c|cc|cpp|cxx|h|hpp|m|scala|clj|exs?|jl|dart|zig|vue|gradle|ninja|jq|awk)$|(^|\/)(Rakefile|Gemfile|CMakeLists\.txt|tox\.ini|build\.xml|pom\.xml|Taskfile\.ya?ml)$/;
/** True for a file of code, and for a file that may configure which code a program runs. */
export const mayHoldCode = (file: string): boolean => CODE.test(file) || MANIFEST.test(file) || CONFIGURES.test(path.basename(file));

/** Checkers, and clients of services. */
const RUNS_NO_CODE =
  /^(tsc|vue-tsc|eslint|oxlint|biome|prettier|stylelint|ruff|mypy|pyright|flake8|pylint|black|isort|rubocop|phpcs|clang-format|gh|glab|aws|gcloud|az|kubectl|helm|terraform|psql|mysql|sqlite3|redis-cli|kill|pkill|killall|ssh)$/;
/** Calls that compile or format code and run nothing of it. `cargo check` runs build scripts and macros. */
const COMPILES = /^(go (vet|build|fmt)|cargo fmt|mvn compile)$/;
const CONFIGURES = /config|rc\b|plugin|conftest|^\.|\.(json|toml|ini|cfg|ya?ml|xml)$/i;

/**
 * Judges the names that come in from other commands, and those in a file of arguments (`@FILE`). A program may read the files of these names, so
 * limits on them apply.
 */
export function judgeNamesInInput({ base, rest }: Runner, { context, findings }: JudgeOptions): void {
  const isFed = (context.fed === "pipe" || context.fed === "text") && (base !== "git" || rest.some(({ text }) => TAKES_PATHS.test(text)));
  const lists = rest.flatMap(({ text }) => (text.startsWith("@") ? context.cwds.map((cwd) => resolvePath(cwd, text.slice(1))) : []));
  const inLists = lists.map((file) => ({ text: startOf(file, MAX_LIST), patterns: [] }));
  const read: GateFindings = { ...findings, accesses: [], doubts: new Set() };
  for (const { text, patterns = [] } of [...(isFed ? findings.written : []), ...inLists]) {
    const words = roughWordsOf(text);
    if (words.some((word) => word.text.startsWith("/") && isOfProcess(path.resolve(word.text))))
      findings.doubts.add("gets the name of a folder by the process that looks at it");
    for (const named of [...patterns.map(mentioned), ...words.flatMap((word) => mention(word.text))])
      judgePath(base === "git" ? { ...named, search: { suspected: true } } : named, context, read); // git may also change them
  }
  // A message for a known program, such as git, may only speak of a file of keys.
  const isKnown = isKnownProgram(base) || isDevelopmentTool(base);
  for (const { floor, ...access } of read.accesses)
    findings.accesses.push({ ...access, suspected: true, ...(floor && !isKnown ? { floor } : {}) });
}

/** The limit for a file of arguments, in bytes. */
const MAX_LIST = 4_000;

const mentioned = (word: Word): NamedPath => ({ word, use: "mentions" });

/** Flags with which git takes the names of files from its input. */
const TAKES_PATHS = /^--(stdin-paths|pathspec-from-file|batch)/;

/** True for a program that does not take the text of a script for that of a shell. */
const readsOtherCode = (base: string): boolean => readsCode(base) && !isShell(base);

/**
 * Judges the commands that the text has written into these files. Asks if the program would run anything else. Returns true if the gate has read all
 * that it runs.
 */
function judgeWrittenCommands({ base, rest }: Runner, files: readonly string[], look: JudgeOptions): boolean {
  const { context, findings, walkText } = look;
  const all = findings.written.filter(({ isCode }) => isCode !== true);
  const names = files.flatMap((file) => [file, findings.origins.get(file) ?? file]).map((file) => path.basename(file));
  const isOwn = (each: WrittenText) => names.some((name) => each.files?.includes(name));
  const written = all.filter((each) => each.files === undefined || each.isMovable || isOwn(each) || !all.some(isOwn));
  const texts = new Set(written.map(({ text }) => text));
  const run = [base, ...rest.map(({ text }) => text), ...context.cwds, ...files, ...texts].join("\n");
  for (const file of files) findings.ran.add(file);
  const code = written.length === 1 && written.every(isOwn) ? written[0] : undefined;
  const script = code && rest.every(isCertain) ? writtenScript({ base, rest }, code, files, look) : undefined;
  if (script) {
    walkText(script.text, { ...context, listed: new Map(), also: [], script: script.script });
    return true;
  }
  const isOther = Object.hasOwn(RUN_FILES, base) || readsOtherCode(base);
  const isWhole = written.length === 1 || written.every(({ text }) => /(^|[^\\])\n$/.test(text) && !text.includes("<<"));
  const isStrange = !isShell(base) && written.some(({ text }) => text.startsWith("#!") && !SHELL_SHEBANG.test(text));
  const isComputed =
    written.some(({ isKnown }) => !isKnown) || files.some((file) => findings.computed.has(file) || findings.edited.has(file));
  const addsToItself = written.some(({ text }) => />>|\btee\b/.test(text) && names.some((name) => text.includes(name)));
  const isParted = written.length > 1 && written.some(({ text }) => /\b(cd|pushd|popd)\b/.test(text)); // the folder holds for the next part, too
  if (addsToItself || isParted) findings.doubts.add("runs a script that the text writes in parts");
  if ((isOther && written.length > 0) || isStrange || !isWhole || isComputed)
    findings.doubts.add("runs a script that the text writes, and that is known only when it runs");
  if (isOther || context.running?.includes(run)) return false; // a script may call its own file
  // It has arguments of its own, not those of the function that runs it.
  const variables = new Map([...context.variables].filter(([name]) => !/^\d+$/.test(name)));
  const within = { ...context, variables, listed: new Map(), also: [], running: [...(context.running ?? []), run] };
  for (const text of texts) if (!/^(#.*\n?|\s+)*$/.test(text)) walkText(text, within);
  const isPlain = isShell(base) ? rest.length === 1 : rest.length === 0;
  const isNew = files.every((file) => pathKind(file) === "nothing" && !findings.origins.has(file)); // otherwise its old text may run
  return isPlain && isNew && texts.size > 0 && isWhole && !isStrange && !isComputed;
}

const SHELL_SHEBANG = /^#! ?(\/usr)?(\/local)?\/bin\/(env )?(ba|da)?sh( -[eux]+)?$/m;
