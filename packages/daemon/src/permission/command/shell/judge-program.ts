import { UNTRUSTED_FOLDER } from "@baton/core/text/rule-text";
import path from "node:path";
import { omitUndefined } from "@baton/core/text/omit-undefined";
import type { SourcedRule } from "@baton/core/protocol/rule";
import { isHarmlessCall } from "../programs/harmless-calls.ts";
import { STEERING, textOfTrap } from "../programs/shell-builtins.ts";
import { dangerOf } from "../programs/dangerous-commands.ts";
import { isUntouched, repeat, type GateFindings } from "../gate-findings.ts";
import { mayHaveChanged } from "../files/created-files.ts";
import { exists, finalPath, isBelow, isFolder, realPath } from "../files/path-on-disk.ts";
import { isOfProcess } from "../files/process-folders.ts";
import { isDevelopmentTool, toolCall } from "../files/development-tools.ts";
import { mentionedPaths, pathsInWord } from "../files/mentioned-paths.ts";
import type { UncoveredPart, NamedPath, ProgramInvocation, ProgramEffects, ExtraArguments } from "../programs/program-types.ts";
import { absolutePathAccesses, defaultAllowRule } from "../files/path-accesses.ts";
import { readers } from "../tables/readers.ts";
import { writers } from "../tables/writers.ts";
import type { GatedAccess } from "@baton/core/permission/judge";
import type { Call } from "@baton/core/permission/limited-call";
import { linksMade, meetsLink } from "../files/new-links.ts";
import { meantCalls } from "../programs/calls-by-name.ts";
import { classifyProgram, isKnownProgram } from "../programs/classify-program.ts";
import { callsInFlags } from "../programs/commands-in-flags.ts";
import { namedAddresses } from "../programs/named-addresses.ts";
import { printedText } from "../programs/printed-text.ts";
import { remoteCalls } from "../programs/remote-calls.ts";
import { foldersMadeBefore } from "../files/folders-made-before.ts";
import { mountedFiles } from "../files/mounted-files.ts";
import { feeding, mayRunDownload, readsCode } from "../programs/shell-program.ts";
import { isChosenHere } from "../programs/choosing-files.ts";
import type { ShellContext } from "./shell-context.ts";
import { editedBelow, listedBelow } from "../files/listed-file-accesses.ts";
import { trackedFiles } from "../git/git-index.ts";
import { isScratch, READ_BY_PEOPLE } from "../files/scratch-files.ts";
import { isShadowed } from "../files/shadowing-modules.ts";
import { commitIn, isCertain, literal, textOfAll, type Word } from "../words/word.ts";
import { packagesBelow, runsInPackages } from "../verbs/packages.ts";
import { verbOf } from "../verbs/split-verb.ts";
import { COUNTING } from "../programs/find-and-xargs.ts";
import { callFolders } from "../files/call-folders.ts";
import { implicitWorkingFolder } from "../files/implicit-working-folder.ts";
import { editsMore, mayChangeAppendedFiles, staysWhole, takesMore } from "./appended-arguments.ts";
import { judgeGitCall } from "./judge-git.ts";
import { arePlainEdits } from "../text/plain-edit.ts";
import { judgeProjectCode } from "./judge-project-code.ts";
import { filesRunBy, judgeMadeProgram, mayHoldCode, judgeNamesInInput, RUNS_SHELL } from "./judge-made-program.ts";
import { handOver, judgeMove, judgePath } from "./judge-path.ts";
import { isOverTime } from "../time-limit.ts";
import { unwrap } from "./unwrap-command.ts";
import type { JudgeOptions, Program } from "./walker-types.ts";
import { callsOfOrigins, isInstalled, limitedCalls, otherCalls } from "./calls-for-rules.ts";
import { resolvePath } from "../files/physical-path.ts";

const MAX_WRAPS = 8;
/** The limit for packages of the workspace in which a call runs. */
const MAX_PACKAGES = 20;
/** A placeholder for an argument that the gate cannot see. */
export const UNSEEN: Word = { kind: "open", text: "", prefix: "", single: true };
const COMMITS = [commitIn("COMMIT"), commitIn("COMMIT")];
/** Calls that take all paths in their words from the folder of their first flag. */
const LEAVES = /^(go (\w+ )?-C|(terraform|tofu) -chdir|uv (run )?--directory)\b/;
/** Programs that run a command in a container, where absolute paths are others. */
const IN_CONTAINER = /^(docker|podman)(-compose)?$/;
/** Programs that make the contents of a file available elsewhere. */
const COPYING = new Set("cp mv ln install rsync tee chmod".split(" "));

/** Judges one program with its arguments: the program itself, the files it touches, and the commands it runs. */
export function judgeProgram(words: readonly Word[], around: JudgeOptions, more: ExtraArguments = "none", depth = 0): void {
  if (more === "commits") {
    for (const count of [0, 1, 2]) judgeProgram([...words, ...COMMITS.slice(0, count)], around, "none", depth);
    return;
  }
  const [name, ...rest] = words;
  if (!name || isOverTime()) return;
  const base = baseOf(name.text);
  const packages = runsInPackages(base, rest) ? packagesBelow(around.context.place.workspace).slice(0, MAX_PACKAGES) : [];
  const folders = [...callFolders(base, rest, around.context.cwds), ...packages];
  const look =
    folders.length > 0
      ? {
          ...around,
          context: {
            ...around.context,
            cwds: [...new Set([...(LEAVES.test(textOfAll(words.slice(0, 3))) ? [] : around.context.cwds), ...folders])],
          },
        }
      : around;
  const { context, findings } = look;
  if (!words.every(isCertain)) findings.isOpen = true;
  if (name.kind !== "literal" || name.written !== undefined || depth > MAX_WRAPS) {
    findings.doubts.add("the program is known only when it runs");
    addCommand(words, look, false);
    return;
  }
  findings.called.add(baseOf(name.text));
  const file = context.place.programs.get(name.text);
  const isKnown = isByName(name.text) || isInstalled(name.text);
  const program: Program = { name: name.text, base: baseOf(name.text), words, rest, isKnown, file };
  const inner = isKnown ? unwrap(program.base, rest) : undefined;
  const inside: JudgeOptions = { ...look, also: [...look.also, textOfAll(words)] };
  if (inner && "words" in inner) {
    judgeWrapper(program, look);
    return judgeProgram(inner.words, inside, more, depth + 1);
  }
  if (inner) findings.doubts.add(`${program.base}: ${inner.doubt}`);
  judgeName(program, look);
  const call = invocationOf(program, look);
  if (mayRunDownload(call)) findings.doubts.add(feeding(program.base, call.fed, call.upstream));
  const whole = effectsOf(program, call, look);
  const effects = file === undefined ? whole : asProgramOfProject(whole, call);
  judgeArguments(program, effects, more, look);
  const appended = judgeAppended(program, whole, { call, more }, look);
  judgeCommand(program, effects, { isPlain: !inner, namesAll: more === "none" || appended === "edits", more }, look);
  for (const like of [...(effects.like ?? []), ...(effects.reads ? [] : callsInFlags(program.base, rest))])
    judgeAside(like, inside, depth + 1, IN_CONTAINER.test(program.base)); // before the call itself counts files as changed
  judgeFiles(program, effects, look);
  const outer: ShellContext = { ...context, input: undefined, fed: program.base === "xargs" ? "nothing" : context.fed };
  const evaluated = program.base === "eval" ? [textOfAll(rest[0]?.text === "--" ? rest.slice(1) : rest)] : [];
  const again = REPEATS.test(program.base);
  const judgeRuns = () => {
    for (const run of effects.runs ?? [])
      judgeProgram(run.words, { ...inside, context: again ? { ...outer, isRepeated: true } : outer }, run.more, depth + 1);
    for (const script of [...evaluated, ...(effects.scripts ?? [])])
      look.walkText(script, { ...context, ...argumentsOf(effects.args ?? [], more, context), also: inside.also });
  };
  if (again) repeat(findings, judgeRuns);
  else judgeRuns();
  const { incoming } = context;
  if (typeof incoming === "object" && incoming.source !== undefined && mayHaveChanged(incoming.source, findings))
    findings.doubts.add("changes the names that it reads");
  const trapped = program.base === "trap" ? textOfTrap(rest) : undefined;
  if (trapped) look.walkTrap(trapped, { ...context, also: inside.also });
}

/** Programs that run their commands several times. */
const REPEATS = /^(find|fd|fdfind|xargs|parallel|watch)$/;

/** Judges a wrapper such as `timeout`, whose command is judged in its place. */
function judgeWrapper({ base, rest, file }: Program, look: JudgeOptions): void {
  const { context, findings } = look;
  if (file !== undefined) addCommand([literal(file), ...rest], look, false);
  // In a terminal, nohup writes the output of its command into a file.
  if (base === "nohup" && !context.isRedirected && !context.isPiped && !context.isInWord)
    judgePath({ word: literal("nohup.out"), use: "writes" }, context, findings);
}

/** Judges what the name of a program says on its own: an unusual name, or a builtin that changes how the shell reads what follows. */
function judgeName({ name, base, rest }: Program, { context, findings }: JudgeOptions): void {
  const { doubts, options, made, links } = findings;
  const { functions } = context;
  if (name.includes("/") && links.size > 0 && meetsLink({ word: literal(name), use: "reads" }, context, links))
    doubts.add("runs a program behind a link that the text itself makes");
  if (!/^[\w./+@:[\]-]+$/.test(name) || (name.includes("/") && (name.startsWith("/dev/") || isOfProcess(path.resolve("/", name)))))
    doubts.add("the name of the program is unusual");
  if (base !== "trap" && STEERING.has(base) && !isHarmlessCall(base, rest) && (made.size > 0 || !entersEnvironment(base, rest, context)))
    doubts.add(`${base} changes what the shell does next, or runs text`);
  if (base === "unset" && rest.some(({ text }) => functions.has(text))) doubts.add("takes a name from commands (a function)");
  if (base === "shopt") for (const { text } of rest) options.add(text);
}

/** True for `source .venv/bin/activate`, whose script only sets PATH and the prompt. It counts like a script of the project. */
const entersEnvironment = (base: string, [script, ...more]: readonly Word[], { cwds }: ShellContext): boolean =>
  /^(source|\.) \S*bin\/activate$/.test(`${base} ${script?.text}`) &&
  more.length === 0 &&
  cwds.every((cwd) => exists(path.resolve(cwd, script?.text ?? "", "../../pyvenv.cfg")));

function invocationOf({ base, rest }: Program, { context, findings }: JudgeOptions): ProgramInvocation {
  const { upstream, incoming, input, script, settings, isPiped = false } = context;
  const fed = base === "rg" && /(^|[^&>])&([^&>]|$)|\b0>/.test(context.place.text) ? "nothing" : context.fed; // it may have no input
  const isFirst = context.isRepeated !== true && isUntouched(findings);
  return {
    name: base,
    words: rest,
    fed,
    upstream,
    incoming,
    isPiped,
    settings,
    isFirst,
    ...omitUndefined({ input, script }),
  };
}

/** Returns the effects of a call. A call is no longer a read if a file of the workspace may choose the program. */
function effectsOf({ base, rest, isKnown }: Program, call: ProgramInvocation, { context, findings }: JudgeOptions): ProgramEffects {
  if (!isKnown) return strangeProgram(call);
  const verbs = verbOf(base, rest, context.cwds, !isKnownProgram(base));
  const plainly = verbs?.plainly?.slice(1);
  if (plainly) judgeDanger(base, plainly, context, findings);
  const effects = withPlain(classifyProgram(call), plainly && classifyProgram({ ...call, words: plainly }));
  const isChosen = effects.reads && isChosenHere(base, rest, context, findings.made);
  const everywhere = ({ search, ...each }: NamedPath): NamedPath => ({ ...each, search: { follows: search?.follows === true } });
  const read = isChosen && base === "rg" ? effects.paths.map(everywhere) : effects.paths; // other files may be ignored then
  const paths = [...read, ...(effects.reads ? [] : (verbs?.paths ?? []))];
  return { ...verbs, ...effects, paths, ...(isChosen ? { reads: false } : {}) };
}

/** Judges the arguments of a program as a whole: dangerous ones, those of git, and code of the workspace that would run in place of a module. */
function judgeArguments({ base, words, rest }: Program, effects: ProgramEffects, more: ExtraArguments, look: JudgeOptions): void {
  const { context, findings } = look;
  if (!effects.isWrapper && (!(effects.reads || effects.onlyEdits) || COPYING.has(base))) handOver(words, findings);
  const folders = context.script ? [...context.cwds, ...placesOf(path.dirname(context.script.file))] : context.cwds;
  const settings = effects.project?.language === "python" ? context.settings.filter((each) => each !== "PYTHONPATH") : context.settings;
  if (effects.imports && (settings.length > 0 || isShadowed(effects.imports, folders, withWritten(effects, look))))
    findings.doubts.add(`${base} would run code of the workspace in the place of a module`);
  if (effects.project) judgeProjectCode(base, effects.project, look);
  judgeDanger(base, more === "none" ? rest : [...rest, UNSEEN], context, findings);
  if (base === "git") judgeGitCall(rest, context, findings);
}

/** Returns a folder under its path, and under its real path. */
const placesOf = (folder: string): string[] => [folder, realPath(folder) ?? folder];

/** Returns the findings with the files that a call itself writes, also under their real paths. */
function withWritten({ paths }: ProgramEffects, { context: { cwds, place }, findings }: JudgeOptions): GateFindings {
  const written = paths.filter(({ use }) => use === "writes").flatMap(({ word }) => cwds.map((cwd) => resolvePath(cwd, word.text)));
  return { ...findings, made: new Set([...findings.made, ...written.flatMap((file) => [file, finalPath(file, place.realFolders)])]) };
}

/** Programs that delete the content of files. */
const EMPTIES = /^(rm|unlink|shred|truncate)$/;

/** Judges the arguments that come in at the end of a call. Returns `edits` if the program does nothing but edit these files. */
function judgeAppended(
  { base, isKnown }: Program,
  whole: ProgramEffects,
  { call, more }: { call: ProgramInvocation; more: ExtraArguments },
  { context, findings }: JudgeOptions,
): "edits" | undefined {
  const isEdit = typeof more === "object" && whole.onlyEdits && editsMore(call, more) && staysWhole(more, base, context);
  const isTool = isKnown && typeof more === "object" && !isEdit && mayChangeAppendedFiles(call, more, context);
  const [program = literal(base), ...words] = whole.like?.[0] ?? [literal(base), ...call.words]; // the tool that npx starts
  const isKept = isTool && toolCall(program.text, words).keeps;
  const edits = isKept
    ? []
    : isEdit || isTool
      ? editedBelow(more, context, context.place.trusted && !EMPTIES.test(base) && base !== "tee")
      : undefined;
  const changed =
    edits?.flatMap(
      ({ below }) =>
        below?.(
          () => true,
          () => true,
        ).files ?? [],
    ) ?? [];
  const files = changed.map(({ resource }) => path.resolve(context.place.workspace, resource));
  for (const file of files) for (const known of [findings.made, findings.edited]) known.add(file);
  if (EMPTIES.test(base) && files.length > 0) {
    const tracked = new Set(trackedFiles(context.place.workspace));
    if (files.some((file) => tracked.has(file))) findings.doubts.add("deletes all files of a pattern, and git tracks some of them");
  }
  const edited = isTool ? edits?.map((each) => ({ ...each, suspected: true as const })) : edits;
  if (!edited && !takesMore(call, whole, more, context)) findings.doubts.add(`${base} gets arguments that are known only when it runs`);
  else if (typeof more === "object" && !COUNTING.has(base)) {
    const listing = isUntouched(findings) ? more : { ...more, isTracked: false }; // a command before it may have added files to git
    findings.accesses.push(...(edited ?? []), ...listedBelow(listing, context));
  }
  return edited && "edits";
}

/** Adds the accesses of the command itself. `isPlain`: no wrapper hides a part of it. `namesAll`: all files that it edits are known. */
function judgeCommand(
  program: Program,
  effects: ProgramEffects,
  { isPlain, namesAll, more }: { isPlain: boolean; namesAll: boolean; more: ExtraArguments },
  look: JudgeOptions,
): void {
  const { name, base, words, rest, isKnown, file } = program;
  const { context, findings } = look;
  const { fed, input, hereString, upstream, place } = context;
  const made = filesRunBy(program, findings.made, context);
  const isMade = made.length > 0;
  const isOpaque = decidesAlone(base, effects);
  const mayRunMade = isMade || (isOpaque && findings.made.size > 0 && (bringsText(findings, context) || RUNS_SHELL.test(name)));
  if (isOpaque) findings.accesses.push(...changedInPlace(base, rest, context));
  if (mayRunMade) judgeMadeProgram(program, made, look);
  if (!effects.reads && !effects.onlyEdits && !effects.isWrapper) judgeNamesInInput(program, look);
  const code = mayRunMade
    ? [place.text, ...findings.written.map(({ text }) => text)].join("\n")
    : (input ?? hereString ?? (fed === "pipe" ? upstream.join(" ") : ""));
  const named = file === undefined ? words : [literal(file), ...rest];
  const originals = callsOfOrigins(named, look, (each) => made.includes(each));
  const others = otherCalls(program, effects, isKnown && isPlain && !mayRunMade, { code, more }, context);
  if (!others) findings.doubts.add("has more arguments than can be judged");
  if (!effects.reads && !effects.onlyEdits && !effects.isWrapper) findings.accesses.push(...namedAddresses(base, rest));
  const isSure = effects.doubts.length === 0;
  const calls = [...(others?.same ?? []), ...callsOfOrigins(named, look)];
  const isLimited = !effects.reads && !effects.isWrapper;
  if (!effects.isWrapper || file !== undefined)
    addCommand(
      named,
      isLimited
        ? { ...look, calls: limitedCalls(calls, others?.inside ?? [], place.text) }
        : { ...look, also: [...look.also, ...calls.map(textOfAll)] },
      (name === base || isInstalled(name)) && effects.reads && isSure && isPlain,
      isKnown && namesAll && effects.onlyEdits === true && isSure,
      effects.reads ? undefined : effects.beyond,
      base === "tee" &&
        isSure &&
        isPlain &&
        rest.every((word) => isCertain(word) && (/^-(a|i|ai)$/.test(word.text) || isLog(word, context))),
    );
  if (!effects.isWrapper && !effects.reads && !effects.onlyEdits)
    for (const call of [
      ...meantCalls(base, rest).map((words) => [...named.slice(0, 1), ...words]),
      ...originals.slice(0, 1),
      ...callsElsewhere(program, context),
    ])
      addCommand(call, look, false);
  for (const words of remoteCalls(base, rest)) {
    const call = [...named.slice(0, 1), ...words];
    addCommand(call, { ...look, calls: limitedCalls([call], [], place.text) }, false);
  }
  const script = readsCode(base) ? rest[scriptAt(rest)] : undefined;
  if (script && SEVERAL_WORDS.test(script.text))
    findings.doubts.add("the name of the script has a blank, so rules cannot tell it from two words");
  if (decidesAlone(base, effects) && rest.some(({ text }) => OPENED.test(text))) findings.doubts.add(`${base} may run what comes in`);
  const isNew = () => name.includes("/") && !context.cwds.some((cwd) => exists(path.resolve(cwd, name))); // perhaps compiled from such a file
  if (findings.downloaded.size > 0 && (isNew() || filesRunBy(program, findings.downloaded, context).length > 0))
    findings.doubts.add("runs a file that the text itself brings from the network");
  for (const doubt of effects.doubts) findings.doubts.add(doubt);
}

/** A path with a blank. */
const SEVERAL_WORDS = /^[\w./@~-]+( [\w./@~-]*)+$/;

/** Returns the position of the script of an interpreter, which has no flag in front. */
const scriptAt = (words: readonly Word[]): number => (words[0] && !words[0].text.startsWith("-") ? 0 : -1);

/**
 * Returns a call with the path of its program or script from the workspace, if there is another file by the same path in the workspace itself: a rule
 * that allows `./scripts/x.sh` may be about that one. `cd src && ./scripts/x.sh` is `./src/scripts/x.sh`.
 */
function callsElsewhere({ name, base, words, rest }: Program, { cwds, place: { workspace } }: ShellContext): Word[][] {
  const at = name.includes("/") ? 0 : readsCode(base) ? scriptAt(rest) + 1 : 0;
  const file = words[at]?.text ?? "";
  if ((at === 0 && !name.includes("/")) || path.isAbsolute(file) || !exists(path.join(workspace, file))) return [];
  const others = cwds.filter((cwd) => cwd !== workspace && exists(path.resolve(cwd, file)));
  return others.map((cwd) => {
    const named = path.relative(workspace, path.resolve(cwd, file));
    return words.map((word, i) => (i === at ? literal(at === 0 && !named.startsWith("..") ? `./${named}` : named) : word));
  });
}

/** Judges the files that a program touches, and records what later commands may find: links, and files from elsewhere. */
function judgeFiles({ base, rest }: Program, effects: ProgramEffects, { context, findings }: JudgeOptions): void {
  if ((base === "echo" || base === "printf") && (context.printsTo || context.isPiped === true))
    findings.written.push({ ...printedText(base, rest), files: context.printsTo === "any" ? undefined : context.printsTo });
  // Such a program may give a text to another file.
  if (KEEPING.has(base) || decidesAlone(base, effects)) for (const each of findings.written) each.isMovable = true;
  const isEdit = base === "sed" || base === "perl";
  const hidden = isEdit ? findings.computed : new Set([...findings.computed, ...findings.edited]);
  const isShown = KEEPING.has(base)
    ? !rest.some((word) => mayTake(word, context, hidden)) && (!isEdit || arePlainEdits(rest))
    : (decidesAlone(base, effects) && !Object.hasOwn(readers, base) && !readsCode(base) && !/^(openssl|dd)$/.test(base)) ||
      /^(chmod|chown|mkdir|touch)$/.test(base) ||
      (base === "tee" && context.fed === "text");
  for (const word of /^(echo|printf)$/.test(base) ? rest : [])
    if (word.kind === "pattern" && /^\/(?!\/+ )|\.\.\//.test(word.text)) judgePath({ word, use: "names" }, context, findings);
  const inWord = context.isInWord === true && /^(echo|printf|realpath|basename|dirname)$/.test(base) ? rest.flatMap(pathsInWord) : [];
  const isFile = ({ word, use }: NamedPath) =>
    word.kind === "pattern" && use === "reads" && TAKES_FILES.has(base) && findings.made.size === 0;
  const passed = effects.paths.flatMap((each) => foldersMadeBefore(base, each, findings));
  for (const named of [...effects.paths, ...passed, ...inWord])
    judgePath(
      isFile(named) ? { ...named, search: { ...named.search, onlyFiles: true } } : named,
      { ...context, isShown, isEdit, upstream: [...context.upstream, base] },
      findings,
    );
  findings.accesses.push(...mountedFiles(base, rest, context));
  const target = base === "mv" ? effects.paths.find(({ from }) => from) : undefined;
  if (target?.from?.some((source) => leavesWorkspace(source, target.word, { context, findings })))
    findings.doubts.add("moves a folder out of the workspace");
  for (const named of /^(mv|git)$/.test(base) ? effects.paths : []) if (named.use === "moves") judgeMove(named, context, findings);
  const isOther = !isKnownProgram(base) && !isDevelopmentTool(base);
  const behind = isOther ? rest.map(({ text }, i) => [baseOf(text), rest.slice(i + 1)] as const) : [];
  for (const call of [[base, rest] as const, ...behind.filter(([name]) => isDevelopmentTool(name))])
    for (const named of implicitWorkingFolder(...call, context)) judgePath(named, context, findings);
  for (const link of linksMade(base, effects, context, findings.links)) findings.links.add(link);
  findings.brings ||= BRINGING.test(textOfAll([literal(base), ...rest]));
}

/** True for a folder of the workspace whose new place is outside of it. */
const leavesWorkspace = (
  source: Word,
  target: Word,
  { context: { cwds, place }, findings: { made } }: Pick<JudgeOptions, "context" | "findings">,
): boolean =>
  cwds.some((cwd) => {
    const from = resolvePath(cwd, source.text);
    const mayBeFolder = isFolder(from) || [...made].some((file) => file !== from && isBelow(file, from));
    const to = place.gatePath(resolvePath(cwd, target.text));
    return mayBeFolder && isBelow(from, place.workspace) && !("refused" in to) && !to.inside;
  });

/** Returns the variables `$1`, `$2` and so on for a script. If a list of names comes in, its variable follows the others. */
function argumentsOf(args: readonly Word[], more: ExtraArguments, around: ShellContext): Pick<ShellContext, "variables" | "listed"> {
  const home = [...around.variables].filter(([name]) => name === "HOME");
  const variables = new Map([...home, ...args.slice(1).map((word, i) => [String(i + 1), word] as const)]);
  return { variables, listed: new Map(typeof more === "object" && args.length > 0 ? [[String(args.length), more] as const] : []) };
}

/** Judges a program without adding an access for the program itself. A floor on that access becomes a doubt. All other findings count. */
export function judgeAside(words: readonly Word[], look: JudgeOptions, depth: number, isElsewhere = false): void {
  const aside: GateFindings = { ...look.findings, accesses: [], doubts: new Set(), refusals: new Set() };
  const { place } = look.context;
  const programs = new Map([...place.programs].filter(([name]) => name !== words[0]?.text)); // the name stands for another file here
  judgeProgram(words, { ...look, context: { ...look.context, place: { ...place, programs } }, findings: aside }, "none", depth);
  for (const doubt of aside.doubts) look.findings.doubts.add(doubt);
  for (const refusal of aside.refusals) look.findings.refusals.add(refusal);
  const own = textOfAll(words);
  for (const access of aside.accesses) {
    if (isElsewhere && access.action !== "command" && path.isAbsolute(access.resource)) continue;
    if (access.action !== "command" || access.resource !== own) look.findings.accesses.push(access);
    else if (access.floor) look.findings.doubts.add(access.floor.source.replace("command gate: ", ""));
  }
}

/** True for a word that may name one of these files. */
const mayTake = (word: Word, { cwds, place }: ShellContext, made: ReadonlySet<string>): boolean =>
  made.size > 0 &&
  (word.kind !== "literal" || cwds.some((cwd) => mayHaveChanged(finalPath(resolvePath(cwd, word.text), place.realFolders), { made })));

/** Programs that report a folder among their operands as an error. A recursive search is no such read. */
const TAKES_FILES = new Set("cat head tail wc nl tac cut sort grep jq md5sum sha1sum sha256sum".split(" "));

/** Programs that take the contents of files from other files of the workspace. */
const KEEPING = new Set("sed perl cp mv ln install rsync".split(" "));

/** True if the words of a program do not show what it does. It may run files of the workspace. */
const decidesAlone = (base: string, { reads, onlyEdits, isWrapper }: ProgramEffects): boolean =>
  !reads && !onlyEdits && !isWrapper && base !== "git" && writers[base]?.operands === undefined;

/** A file that the shell has opened or fills, also behind a flag. */
const OPENED = /^(-\w|--[\w-]+=)?(<\(|\/(dev|proc\/self)\/(fd\/\d+|stdin|stderr)$)/;

/** True if the text has written something into files that a program may run or load, such as a Makefile. The output of the program itself does not count. */
function bringsText({ written, computed, edited }: GateFindings, { printsTo }: ShellContext): boolean {
  const isOwn = (file: string) => typeof printsTo === "object" && printsTo.includes(path.basename(file));
  return written.length > 0 || [...computed, ...edited].some((file) => mayHoldCode(file) && !isOwn(file));
}

/** Returns a read and an edit in the working folder, unless that is the workspace, by a program that may work with its files. Denies of rules and protected names apply. */
function changedInPlace(base: string, words: readonly Word[], context: ShellContext): GatedAccess[] {
  const folders = context.cwds.filter((cwd) => cwd !== context.place.workspace);
  const uses = toolCall(base, words).keeps ? (["reads"] as const) : (["writes", "reads"] as const);
  const used = uses.flatMap((use) => folders.map((cwd) => absolutePathAccesses(path.join(cwd, "a.file"), use, context)));
  return used.flatMap((each) => ("doubt" in each ? [] : each)).map((each) => ({ ...each, suspected: true as const }));
}

/**
 * Calls that bring other files into the workspace: from another commit, from another machine or from an archive. A new branch at the same commit brings
 * none, and `restore --staged` changes only the index.
 */
const BRINGING =
  /^(?!git ((checkout -b|switch -c) [\w./-]+|restore (--staged|-S)( [\w.][\w./-]*)+)$|git merge-(base|tree)\b)(git ((-[cC] \S+|-\S+) )*(bisect|revert|checkout|switch|stash (pop|apply)|merge|pull|rebase|reset|restore|cherry-pick|am|clone|submodule|worktree)|gh pr checkout|(hg|svn) up|rsync (\S+ )*[\w.@-]+(?=:)|scp (-\S+ )*-\w*r\w*|unzip|7z|tar|bsdtar|gtar|cpio|unar)\b/;

/** True if the shell looks for the program in the folders of PATH. */
const isByName = (name: string): boolean => !name.includes("/");
/** Returns the effects of a program of the project: those of the program of that name, and anything with the files in its arguments. */
function asProgramOfProject({ paths, onlyEdits: _, ...effects }: ProgramEffects, call: ProgramInvocation): ProgramEffects {
  return { ...effects, reads: false, paths: [...paths, ...mentionedPaths(call)] };
}

/** Adds the effects of the same call with its verb first. Flags in front of the verb hide nothing of what it does. */
function withPlain(effects: ProgramEffects, plain: ProgramEffects | undefined): ProgramEffects {
  if (!plain) return effects;
  const { doubts, runs = [], scripts = [], like = [] } = plain;
  return {
    ...effects,
    doubts: [...effects.doubts, ...doubts],
    runs: [...(effects.runs ?? []), ...runs],
    scripts: [...(effects.scripts ?? []), ...scripts],
    like: [...(effects.like ?? []), ...like],
  };
}

/** Returns the effects of a program at an unusual path. It may do what the program of that name does, so the same doubts apply. */
function strangeProgram(call: ProgramInvocation): ProgramEffects {
  return { reads: false, paths: mentionedPaths(call), doubts: [], like: [[literal(call.name), ...call.words]] };
}

/** True for a file in the folder for temporary files that only people read, such as `/tmp/test.log`. */
const isLog = ({ text }: Word, { cwds, place }: ShellContext): boolean =>
  READ_BY_PEOPLE.test(text) && cwds.every((cwd) => isScratch(path.resolve(cwd, text), "edits", place.made));

function judgeDanger(base: string, words: readonly Word[], context: ShellContext, findings: GateFindings): void {
  const danger = dangerOf(base, words, context.cwds, context.place.home);
  if (danger.refusal) findings.refusals.add(danger.refusal);
  if (danger.doubt) findings.doubts.add(danger.doubt);
}

/** Returns the common name of a program: without its folder, without the prefix `g` or `gnu` of GNU programs, and not shortened. */
const baseOf = (name: string): string =>
  name
    .slice(name.lastIndexOf("/") + 1)
    .replace(/\.exe$/i, "")
    .replace(/^g(nu)?(?=(timeout|nice|nohup|env|stdbuf|xargs|rm|mv|cp|dd|ln|chmod|chown|find|tee|install|split|shred)$)/, "")
    .replace(/^pn$/, "pnpm")
    .replace(/^(pn|vp)x$/, "pnpx");

/** Adds the access for the command itself, under every name that rules may use for it. */
export function addCommand(
  words: readonly Word[],
  { context, findings, also, calls = [] }: Omit<JudgeOptions, "walkText" | "walkTrap"> & { calls?: readonly Call[] },
  reads: boolean,
  onlyEdits = false,
  beyond?: UncoveredPart,
  logs = false,
): void {
  findings.parts += 1;
  findings.walked += 1;
  if (findings.parts > context.place.maxParts) findings.doubts.add(`more than ${context.place.maxParts} commands`);
  const resource = textOfAll(words);
  const [first, ...rest] = words;
  const plain =
    first !== undefined && baseOf(first.text) !== first.text ? [textOfAll([{ kind: "literal", text: baseOf(first.text) }, ...rest])] : [];
  const others = [...new Set([...context.also, ...also, ...plain])].filter((text) => text !== resource);
  const asks = { action: "command", resource, effect: "ask" } as const;
  const gateRule: SourcedRule = context.place.trusted
    ? defaultAllowRule(asks, "reading command")
    : { ...asks, layer: "defaults", source: UNTRUSTED_FOLDER };
  const floor = beyond && { ...asks, layer: "gate" as const, source: `command gate: ${beyond.verb ?? first?.text}: ${beyond.why}` };
  findings.accesses.push({
    action: "command",
    resource,
    ...(others.length > 0 ? { also: others } : {}),
    ...(calls.length > 0 ? { calls } : {}),
    ...(reads ? { reads, gateRule } : logs && context.place.trusted ? { gateRule: defaultAllowRule(asks, "scratch file") } : {}),
    ...(onlyEdits && context.place.trusted ? { onlyEdits } : {}),
    ...omitUndefined({ verb: beyond?.verb, floor }),
  });
}
