import { existsSync } from "node:fs";
import path from "node:path";
import type { Gated } from "@baton/core/permission/judge";
import type { PlacedRule } from "@baton/core/protocol/rule";
import { showsLimits, STEERING } from "../programs/shell-builtins.ts";
import { dangerOf } from "../programs/dangerous-commands.ts";
import { foldersOf, strangeRepository } from "../git/git-repository.ts";
import { strangeRemote } from "../git/git-remotes.ts";
import { movedMade, rememberMade } from "../files/made-files.ts";
import { printedByGit, printedSecrets, subCommandAt } from "../git/git-tracked-secrets.ts";
import type { GateFindings } from "../gate-findings.ts";
import { mentionedPaths } from "../files/mentioned-paths.ts";
import type { Beyond, Call, ProgramEffects, ExtraArguments, Listing, NamedPath } from "../programs/program-types.ts";
import { changedByPatch, patchesOf } from "../git/patch-files.ts";
import { linksMade, meetsLink } from "../files/new-links.ts";
import { otherTexts } from "../programs/other-names.ts";
import { classifyProgram, isKnownProgram } from "../programs/classify-program.ts";
import { readsCode } from "../programs/shell-program.ts";
import { isChosenHere } from "../programs/package-managers.ts";
import type { ShellContext } from "./shell-context.ts";
import { holdsOddNames } from "../files/find-secrets.ts";
import { editedBelow, listedBelow, mayReadAll } from "../files/listed-files.ts";
import { isShadowed } from "../files/shadowing-modules.ts";
import { isFreeScratch, isScratch } from "../files/scratch-files.ts";
import { touch, trackedBelow } from "../files/path-accesses.ts";
import { A_REF, isCertain, literal, textOfAll, type Word } from "./word.ts";
import { verbOf } from "../verbs/verb-call.ts";
import { COUNTING, MEASURING } from "../programs/xargs.ts";
import { wholeFolder } from "../files/whole-folder.ts";
import { unwrap } from "./unwrap-command.ts";

/** What a simple command is looked at with: `walkText` judges shell text that it runs, `also` are texts around it. */
export type JudgeOptions = {
  context: ShellContext;
  findings: GateFindings;
  walkText: (text: string, context: ShellContext) => void;
  also: readonly string[];
};

const MAX_WRAPS = 8;
/** An argument that comes in. */
const UNSEEN: Word = { kind: "open", text: "", prefix: "", single: true };
/** Programs that bring what is in a file to another place. */
const COPYING = new Set("cp mv ln install rsync tee chmod".split(" "));

/** `trap 'rm -f x' EXIT` at the top of a text: it may run at any time, in any folder that the text comes to. */
function setsTrap([text, ...signals]: readonly Word[], { context, findings, walkText }: JudgeOptions): boolean {
  const isPlain =
    signals.length > 0 && signals.every((word) => word.kind === "literal" && /^(SIG)?(EXIT|INT|TERM|HUP|QUIT|ERR|0)$/.test(word.text));
  if (text?.kind !== "literal" || text.written !== undefined || !isPlain || context.depth > 1) return false;
  if (text.text !== "-" && text.text !== "") findings.later.push((cwds) => walkText(text.text, { ...context, cwds, also: [] }));
  return true;
}

/** Judges one program with its words: itself, what it touches, and what it runs in turn. */
export function judgeCommand(given: readonly Word[], look: JudgeOptions, more: ExtraArguments = "none", depth = 0): void {
  const { context, findings } = look;
  const words = withRefs(given);
  const [name, ...rest] = words;
  if (!name) return;
  if (!words.every(isCertain)) findings.isOpen = true;
  if (name.kind !== "literal" || depth > MAX_WRAPS) {
    findings.doubts.add("the program is known only when it runs");
    addCommand(words, look, false);
    return;
  }
  const base = baseOf(name.text);
  const inside: JudgeOptions = { ...look, also: [...look.also, textOfAll(words)] };
  const isKnown = isByName(name.text) || isInstalled(name.text);
  const inner = isKnown ? unwrap(base, rest) : undefined;
  if (inner && "words" in inner) return judgeCommand(inner.words, inside, more, depth + 1);
  if (!/^[\w./+@:[\]-]+$/.test(name.text)) findings.doubts.add("the name of the program is unusual");
  if (inner) findings.doubts.add(`${base}: ${inner.doubt}`);
  const isTrap = base === "trap" && setsTrap(rest, look);
  if (STEERING.has(base) && !isTrap && !showsLimits(base, rest))
    findings.doubts.add(`${base} changes what the shell does next, or runs text`);
  const { fed, upstream, incoming, input, settings, isPiped = false } = context;
  const call: Call = { name: base, words: rest, fed, upstream, incoming, isPiped, settings, ...(input === undefined ? {} : { input }) };
  const known = isKnown ? classifyProgram(call) : strangeProgram(call);
  const verbs = isKnown ? verbOf(base, rest, context.cwds, !isKnownProgram(base)) : undefined;
  const isChosen = known.reads && isChosenHere(base, context.cwds);
  const paths = [...known.paths, ...(known.reads ? [] : (verbs?.paths ?? []))];
  const effects: ProgramEffects = { ...verbs, ...known, paths, ...(isChosen ? { reads: false } : {}) };
  if (!effects.isWrapper && (!(effects.reads || effects.onlyEdits) || COPYING.has(base)))
    handOver(
      words.map(({ text }) => text),
      findings,
    );
  if (base === "shopt") for (const { text } of rest) findings.options.add(text);
  const isReplaced = effects.imports && (context.settings.length > 0 || isShadowed(effects.imports, context.cwds, findings));
  if (isReplaced) findings.doubts.add(`${base} would run code of the workspace in the place of a module`);
  judgeDanger(base, more === "none" ? rest : [...rest, UNSEEN], context, findings);
  if (base === "git") judgeRepository(rest, context, findings);
  if (base === "patch" && isKnown) judgePatch(patchesOf(rest), context.cwds, context, findings);
  const edited =
    typeof more === "object" && effects.onlyEdits && editsMore(call) && staysWhole(more, base, context)
      ? editedBelow(more, context)
      : undefined;
  if (!edited && !takesMore(call, effects, more, context)) findings.doubts.add(`${base} gets arguments that are known only when it runs`);
  else if (typeof more === "object" && !COUNTING.has(base)) findings.accesses.push(...(edited ?? []), ...listedBelow(more, context));
  const others = effects.isWrapper ? [] : otherTexts(base, rest, effects, isKnown);
  if (!others) findings.doubts.add("has more arguments than can be judged");
  if (!effects.isWrapper)
    addCommand(
      words,
      { ...look, also: [...look.also, ...(others ?? [])] },
      (name.text === base || isInstalled(name.text)) && effects.reads && effects.doubts.length === 0 && !inner,
      isKnown && (more === "none" || edited !== undefined) && effects.onlyEdits === true && effects.doubts.length === 0,
      effects.reads ? undefined : effects.beyond,
    );
  if (runsDownloaded(name.text, rest, base, look)) findings.doubts.add("runs a file that the text itself brings from the network");
  judgeEffects(effects, { ...look, context: { ...context, upstream: [...context.upstream, base] } });
  for (const named of wholeFolder(base, rest, context.cwds)) judgePath(named, context, findings);
  for (const link of linksMade(base, effects, context)) findings.links.add(link);
  findings.brings ||= BRINGING.test(textOfAll([literal(base), ...rest]));
  for (const like of effects.like ?? []) judgeAside(like, inside, depth + 1);
  for (const run of effects.runs ?? [])
    judgeCommand(run.words, { ...inside, context: { ...context, input: undefined } }, run.more, depth + 1);
  for (const script of effects.scripts ?? [])
    look.walkText(script, { ...context, ...argumentsOf(effects.args ?? [], more, context), also: inside.also });
}

/** The variables `$1`, `$2` of a text. A list of names that comes in is the one behind the others. */
function argumentsOf(
  args: readonly Word[],
  more: ExtraArguments,
  { variables: around }: ShellContext,
): Pick<ShellContext, "variables" | "listed"> {
  const home = [...around].filter(([name]) => name === "HOME");
  const variables = new Map([...home, ...args.slice(1).map((word, i) => [String(i + 1), word] as const)]);
  return { variables, listed: new Map(typeof more === "object" && args.length > 0 ? [[String(args.length), more] as const] : []) };
}

/** Takes over what would be asked of a program, without asking for the program itself; what it runs in turn is asked for. */
function judgeAside(words: readonly Word[], look: JudgeOptions, depth: number): void {
  const aside: GateFindings = { ...look.findings, accesses: [], doubts: new Set(), refusals: new Set() };
  judgeCommand(words, { ...look, findings: aside }, "none", depth);
  for (const doubt of aside.doubts) look.findings.doubts.add(doubt);
  for (const refusal of aside.refusals) look.findings.refusals.add(refusal);
  const own = textOfAll(words);
  for (const access of aside.accesses) {
    if (access.action !== "command" || access.resource !== own) look.findings.accesses.push(access);
    else if (access.floor) look.findings.doubts.add(access.floor.source.replace("command gate: ", ""));
  }
}

/** Calls that bring other files into the workspace: another commit, or what is in an archive. */
const BRINGING =
  /^(git (-\S+ )*(checkout|switch|stash (pop|apply)|merge|pull|rebase|reset|restore|cherry-pick|am|clone|submodule|worktree)|unzip|7z|tar|bsdtar|gtar|cpio|unar)\b/;

/** The shell looks for it in the folders of PATH. */
const isByName = (name: string): boolean => !name.includes("/");
/** Where systems keep their programs. A file at any other path could be anything, whatever it is called. */
const isInstalled = (name: string): boolean => /^\/(usr\/)?(local\/)?s?bin\/[^/]+$|^\/opt\/homebrew\/bin\/[^/]+$/.test(name);

/** A program at a path of its own. It may do what the program of that name does, so what asks there asks here. */
function strangeProgram(call: Call): ProgramEffects {
  return { reads: false, paths: mentionedPaths(call), doubts: [], like: [[literal(call.name), ...call.words]] };
}

/** Whether the program, or the script of an interpreter, is a file that an earlier part of the text has downloaded. */
function runsDownloaded(name: string, words: readonly Word[], base: string, { context, findings }: JudgeOptions): boolean {
  const script = readsCode(base) ? words.find(({ text }) => !text.startsWith("-"))?.text : undefined;
  return [name, script].some((file) => file !== undefined && context.cwds.some((cwd) => findings.downloaded.has(path.resolve(cwd, file))));
}

/** Programs for which a number is no file. */
const NUMBERED = new Set("echo printf ps test [".split(" "));
/** Programs that show files, and that no argument makes do more. */
export const SHOWING = new Set("cat head tail wc grep egrep fgrep nl cksum md5sum sha1sum sha256sum".split(" "));

/** Whether it is the same for judging what else comes in as arguments. */
function takesMore(call: Call, effects: ProgramEffects, more: ExtraArguments, context: ShellContext): boolean {
  const { name: base, words } = call;
  if (more === "none" || (typeof more === "object" && more.isExact && effects.args && effects.args.length > 0)) return true;
  if (more === "numbers") return base === "kill" || (effects.reads && !effects.isWrapper && NUMBERED.has(base));
  if (more !== "any" && base === "git" && tellsOfFile(words)) return staysWhole(more, base, context);
  const isMeasured = more !== "any" && MEASURING.has(base) && !words.some(({ text }) => /^-\w*f$|^--files/.test(text));
  const isShown = () =>
    more !== "any" &&
    (SHOWING.has(base) || (more.isOrdinary && readsMore(call))) &&
    staysWhole(more, base, context) &&
    mayReadAll(more, context);
  return effects.reads && !effects.isWrapper && (COUNTING.has(base) || isMeasured || isShown());
}

/** Whether each name of a list becomes exactly one argument, and none of them a flag. */
const staysWhole = (listing: Listing, base: string, { cwds }: ShellContext): boolean =>
  (listing.isExact === true && base !== "perl") || !cwds.some(holdsOddNames); // perl takes names such as `x|` for commands

/** Whether a program changes two more files that are added to its words, and does nothing else. */
function editsMore(call: Call): boolean {
  if (call.words.some(({ text }) => text.includes("{}"))) return false;
  const { onlyEdits, doubts, paths } = classifyProgram({ ...call, words: [...call.words, ...STAND_INS] });
  return (
    onlyEdits === true && doubts.length === 0 && STAND_INS.every((word) => paths.some((path) => path.word === word && path.use === "edits"))
  );
}

/** Whether a program reads two more files that are added to its words, and does nothing else with them. */
function readsMore(call: Call): boolean {
  if (call.name === "git" || call.words.some(({ text }) => text.includes("{}"))) return false;
  const { reads, doubts, paths } = classifyProgram({ ...call, words: [...call.words, ...STAND_INS] });
  return (
    reads &&
    doubts.length === 0 &&
    STAND_INS.every((word) => paths.some(({ word: named, use }) => named === word && (use === "reads" || use === "searches")))
  );
}

/** `git log --oneline -- FILE`: tells of a file, and prints nothing that is in it. */
const tellsOfFile = ([first, ...words]: readonly Word[]): boolean =>
  first?.text === "log" &&
  words.at(-1)?.text === "--" &&
  words.every((word) => TELLING.test(word.kind === "open" ? word.prefix : word.text) && (word.kind !== "open" || word.single));

const TELLING = /^(--|-\d+|--oneline|--follow|--reverse|--no-merges|--(format|pretty|date)=.*)$/s;

const STAND_INS = ["./a.ts", "./b.ts"].map(literal);

function judgeDanger(base: string, words: readonly Word[], context: ShellContext, findings: GateFindings): void {
  const danger = dangerOf(base, words, context.cwds, context.place.home);
  if (danger.refusal) findings.refusals.add(danger.refusal);
  if (danger.doubt) findings.doubts.add(danger.doubt);
}

function judgeRepository(words: readonly Word[], context: ShellContext, findings: GateFindings): void {
  const at = subCommandAt(words);
  for (const strange of [strangeRepository(words, context), strangeRemote(at, words, context)])
    if (strange !== undefined) findings.doubts.add(strange);
  for (const printed of printedByGit(words, context)) {
    if (printed.chooses) findings.accesses.push(...trackedBelow(printed.path, printed.chooses, context));
    else judgePath({ word: literal(printed.path), use: "searches" }, context, findings);
  }
  if (words[at]?.text === "apply") judgePatch(words.slice(at + 1), foldersOf(words.slice(0, at), context), context, findings);
  const printed = printedSecrets(words, context);
  if ("doubt" in printed) findings.doubts.add(printed.doubt);
  else for (const file of printed) judgePath({ word: literal(file), use: "reads" }, context, findings);
}

/** The files that a patch changes, by its own words. */
function judgePatch(words: readonly Word[], folders: readonly string[], context: ShellContext, findings: GateFindings): void {
  for (const folder of folders) {
    const changed = changedByPatch(words, folder);
    if ("doubt" in changed) findings.doubts.add(changed.doubt);
    else for (const each of changed) judgePath(each, { ...context, cwds: [folder] }, findings);
  }
}

function judgeEffects(effects: ProgramEffects, { context, findings }: JudgeOptions): void {
  for (const doubt of effects.doubts) findings.doubts.add(doubt);
  if (effects.refusal) findings.refusals.add(effects.refusal);
  for (const path of effects.paths) judgePath(path, context, findings);
}

/** Adds the accesses of a path, or says why it is not known. */
export function judgePath(named: NamedPath, context: ShellContext, findings: GateFindings): void {
  if (findings.links.size > 0 && meetsLink(named, context, findings.links))
    findings.doubts.add("goes through a link that the text itself makes");
  if (findings.brings && isMissing(named, context, findings)) findings.doubts.add("uses a file that the text itself may bring as a link");
  const touched = touch(named, context);
  if ("doubt" in touched) findings.doubts.add(touched.doubt);
  else if (!isScratchFile(named, context, findings)) findings.accesses.push(...touched);
  else for (const access of touched) findings.accesses.push(writtenToScratch(named, inScratchFolder(access), context, findings));
  const moved = movedMade(named, context, findings);
  rememberMade(named, context, findings);
  if ("doubt" in moved) findings.doubts.add(moved.doubt);
  else for (const each of moved) judgePath(each, context, findings);
}

/** Calls of git in which a word before `--` is a revision. */
const REVISIONS = new Set("log rev-list show diff merge-base rev-parse shortlog cherry range-diff describe".split(" "));
const REVISION = new RegExp(`^(\\^?${A_REF}([~^]\\d*)*(\\.{2,3}[^:]*)?|[^:]*\\.{2,3}${A_REF}|--(format|pretty)=.*)$`);

/** The words of a call. The name of a branch or tag stays known where it is a revision, or is only printed. */
function withRefs(words: readonly Word[]): readonly Word[] {
  const [name, verb] = words;
  if (!words.some(isRef) || (name?.text === "echo" && !isRef(name))) return words;
  const end = words.findIndex(({ text }) => text === "--");
  const isKnown = (word: Word, i: number) =>
    name?.text === "git" && REVISIONS.has(verb?.text ?? "") && REVISION.test(word.text) && i > 1 && (end < 0 || i < end);
  return words.map((word, i) =>
    isRef(word) && !isKnown(word, i) ? { kind: "open", text: sourceOf(word), prefix: "", single: true } : word,
  );
}

const isRef = (word: Word): boolean => word.kind === "literal" && word.written !== undefined && word.text.includes(A_REF);
const sourceOf = (word: Word): string => (word.kind === "literal" ? (word.written ?? word.text) : word.text);

const isScratchFile = ({ word, use }: NamedPath, { cwds }: ShellContext, { made }: GateFindings): boolean =>
  word.kind === "literal" && cwds.every((cwd) => isScratch(path.resolve(cwd, word.text), use, made));

/** The place of a scratch file is no question of its own; rules about the place and about the file hold. */
const inScratchFolder = (access: Gated): Gated =>
  access.action === "external_directory" && access.resource !== "/"
    ? { ...access, given: { action: access.action, resource: access.resource, effect: "allow", layer: "defaults", source: "scratch file" } }
    : access;

/** A scratch file that a command writes on the side. The gate takes this back if a later command does more than read the file. */
function writtenToScratch({ word, use }: NamedPath, access: Gated, { place, cwds }: ShellContext, { scratch }: GateFindings): Gated {
  const { action, resource } = access;
  if (action !== "edit" || use !== "writes" || !cwds.every((cwd) => isFreeScratch(path.resolve(cwd, word.text), place.workspace)))
    return access;
  const given: Gated = { ...access, given: { action, resource, effect: "allow", layer: "defaults", source: "scratch file" } };
  scratch.set(path.basename(word.text), [...(scratch.get(path.basename(word.text)) ?? []), given]);
  return given;
}

/** A command that does more than read gets the name of a scratch file: somebody has to see what is in it. */
export function handOver(texts: readonly string[], { scratch, accesses }: GateFindings): void {
  for (const [name, written] of scratch)
    if (texts.some((text) => text.includes(name)))
      for (const access of written) {
        const at = accesses.indexOf(access);
        const { given: _, ...rest } = access;
        if (at >= 0) accesses[at] = rest;
      }
}

/** Whether a path that is read or changed is not there yet, and the text does not say that it makes it. */
const isMissing = ({ word, use }: NamedPath, { cwds }: ShellContext, { made }: GateFindings): boolean =>
  word.kind === "literal" &&
  use !== "names" &&
  use !== "mentions" &&
  cwds.some((cwd) => !existsSync(path.resolve(cwd, word.text)) && !made.has(path.resolve(cwd, word.text)));

/** The name that a program is known under: without its folder, and without the `g` that GNU's programs have beside others. */
const baseOf = (name: string): string =>
  name
    .slice(name.lastIndexOf("/") + 1)
    .replace(/\.exe$/i, "")
    .replace(/^g(?=(timeout|nice|nohup|env|stdbuf|xargs|rm|mv|cp|dd|ln|chmod|chown|find|tee|install|split|shred)$)/, "");

const floorFor = (resource: string, why: string): PlacedRule => ({
  action: "command",
  resource,
  effect: "ask",
  layer: "gate",
  source: `command gate: ${why}`,
});

/** Adds the access of the command itself, under all the names by which rules may know it. */
export function addCommand(
  words: readonly Word[],
  { context, findings, also }: Omit<JudgeOptions, "walkText">,
  reads: boolean,
  onlyEdits = false,
  beyond?: Beyond,
): void {
  findings.parts += 1;
  findings.walked += 1;
  if (findings.parts > context.place.maxParts) findings.doubts.add(`more than ${context.place.maxParts} commands`);
  const resource = textOfAll(words);
  const [first, ...rest] = words;
  const plain =
    first !== undefined && baseOf(first.text) !== first.text ? [textOfAll([{ kind: "literal", text: baseOf(first.text) }, ...rest])] : [];
  const others = [...new Set([...context.also, ...also, ...plain])].filter((text) => text !== resource);
  const given: PlacedRule = { action: "command", resource, effect: "allow", layer: "defaults", source: "reading command" };
  findings.accesses.push({
    action: "command",
    resource,
    ...(others.length > 0 ? { also: others } : {}),
    ...(reads ? { reads: true } : {}),
    ...(onlyEdits && context.place.trusted ? { onlyEdits: true } : {}),
    ...(reads && context.place.trusted ? { given } : {}),
    ...(beyond
      ? {
          ...(beyond.verb === undefined ? {} : { verb: beyond.verb }),
          floor: floorFor(resource, `${beyond.verb ?? first?.text}: ${beyond.why}`),
        }
      : {}),
  });
}
