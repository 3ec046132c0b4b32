import { existsSync } from "node:fs";
import path from "node:path";
import type { PlacedRule } from "@baton/core/protocol/rule";
import { showsLimits, STEERING } from "../programs/shell-builtins.ts";
import { dangerOf } from "../programs/dangerous-commands.ts";
import { foldersOf, strangeRepository } from "../git/git-repository.ts";
import { strangeRemote } from "../git/git-remotes.ts";
import { movedMade, rememberMade } from "../files/made-files.ts";
import { printedByGit, printedSecrets, subCommandAt } from "../git/git-tracked-secrets.ts";
import { nothingFound, type Found } from "../gate-findings.ts";
import { mentioned } from "../files/mentioned-paths.ts";
import type { Beyond, Call, Deeds, More, NamedPath } from "../programs/program-types.ts";
import { changedByPatch } from "../git/patch-files.ts";
import { linksMade, meetsLink } from "../files/new-links.ts";
import { otherTexts } from "../programs/other-names.ts";
import { deedsOf, isKnownProgram } from "../programs/classify-program.ts";
import { isChosenHere } from "../programs/package-managers.ts";
import type { Scene } from "./shell-context.ts";
import { holdsOddNames } from "../files/find-secrets.ts";
import { editedBelow, listedBelow, mayReadAll } from "../files/listed-files.ts";
import { touch, trackedBelow } from "../files/path-accesses.ts";
import { isCertain, literal, textOfAll, type Word } from "./word.ts";
import { verbOf } from "../verbs/verb-call.ts";
import { wholeFolder } from "../files/whole-folder.ts";
import { unwrap } from "./unwrap-command.ts";

/** What a simple command is looked at with: `walkText` judges shell text that it runs, `also` are texts around it. */
export type Look = { scene: Scene; found: Found; walkText: (text: string, scene: Scene) => void; also: readonly string[] };

const MOST_WRAPS = 8;

/** Judges one program with its words: itself, what it touches, and what it runs in turn. */
export function lookAt(words: readonly Word[], look: Look, more: More = "none", depth = 0): void {
  const { scene, found } = look;
  const [name, ...rest] = words;
  if (!name) return;
  if (!words.every(isCertain)) found.isOpen = true;
  if (name.kind !== "literal" || depth > MOST_WRAPS) {
    found.doubts.add("the program is known only when it runs");
    addCommand(words, look, false);
    return;
  }
  const base = baseOf(name.text);
  const inside: Look = { ...look, also: [...look.also, textOfAll(words)] };
  const isKnown = isByName(name.text) || isInstalled(name.text);
  const inner = isKnown ? unwrap(base, rest) : undefined;
  if (inner && "words" in inner) return lookAt(inner.words, inside, more, depth + 1);
  if (!/^[\w./+@:[\]-]+$/.test(name.text)) found.doubts.add("the name of the program is unusual");
  if (inner) found.doubts.add(`${base}: ${inner.doubt}`);
  if (STEERING.has(base) && !showsLimits(base, rest)) found.doubts.add(`${base} changes what the shell does next, or runs text`);
  const call = { name: base, words: rest, fed: scene.fed, upstream: scene.upstream, incoming: scene.incoming };
  const known = isKnown ? deedsOf(call) : strangeProgram(call);
  const verbs = isKnown ? verbOf(base, rest, scene.cwds, !isKnownProgram(base)) : undefined;
  const isChosen = known.reads && isChosenHere(base, scene.cwds);
  const paths = [...known.paths, ...(known.reads ? [] : (verbs?.paths ?? []))];
  const deeds: Deeds = { ...verbs, ...known, paths, ...(isChosen ? { reads: false } : {}) };
  judgeDanger(base, rest, scene, found);
  if (base === "git") judgeRepository(rest, scene, found);
  const edited = typeof more === "object" && deeds.onlyEdits && editsMore(call) ? editedBelow(more, scene) : undefined;
  if (!edited && !takesMore(call, deeds, more, scene)) found.doubts.add(`${base} gets arguments that are known only when it runs`);
  else if (typeof more === "object" && !COUNTING.has(base)) found.accesses.push(...(edited ?? []), ...listedBelow(more, scene));
  const others = deeds.isWrapper ? [] : otherTexts(base, rest, deeds, isKnown);
  if (!others) found.doubts.add("has more arguments than can be judged");
  if (!deeds.isWrapper)
    addCommand(
      words,
      { ...look, also: [...look.also, ...(others ?? [])] },
      (name.text === base || isInstalled(name.text)) && deeds.reads && deeds.doubts.length === 0 && !inner,
      isKnown && (more === "none" || edited !== undefined) && deeds.onlyEdits === true && deeds.doubts.length === 0,
      deeds.reads ? undefined : deeds.beyond,
    );
  judgeDeeds(deeds, look);
  for (const named of wholeFolder(base, rest, scene.cwds)) judgePath(named, scene, found);
  for (const link of linksMade(base, deeds, scene)) found.links.add(link);
  found.brings ||= BRINGING.test(textOfAll([literal(base), ...rest]));
  for (const like of deeds.like ?? []) heed(like, inside, depth + 1);
  for (const run of deeds.runs ?? []) lookAt(run.words, inside, run.more, depth + 1);
  for (const script of deeds.scripts ?? []) look.walkText(script, { ...scene, also: inside.also });
}

/** Takes over what would be asked of a program, without asking for the program itself; what it runs in turn is asked for. */
function heed(words: readonly Word[], look: Look, depth: number): void {
  const { parts, walked, links, made, filled, brings } = look.found;
  const aside: Found = { ...nothingFound(), parts, walked, links, made, filled, brings };
  lookAt(words, { ...look, found: aside }, "none", depth);
  for (const doubt of aside.doubts) look.found.doubts.add(doubt);
  for (const refusal of aside.refusals) look.found.refusals.add(refusal);
  const own = textOfAll(words);
  for (const access of aside.accesses) {
    if (access.action !== "command" || access.resource !== own) look.found.accesses.push(access);
    else if (access.floor) look.found.doubts.add(access.floor.source.replace("command gate: ", ""));
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
function strangeProgram(call: Call): Deeds {
  return { reads: false, paths: mentioned(call), doubts: [], like: [[literal(call.name), ...call.words]] };
}

/** Programs that only name or count what they are given, so that it does not matter which files that are. */
const COUNTING = new Set("ls stat basename dirname realpath readlink echo test [ printf".split(" "));
/** Programs that only measure files, unless a flag makes them read names out of one. */
const MEASURING = new Set("wc file du".split(" "));
/** Programs that show files, and that no argument makes do more. */
const SHOWING = new Set("cat head tail grep egrep fgrep nl cksum md5sum sha1sum sha256sum".split(" "));

/** Whether it is the same for judging what else comes in as arguments. */
function takesMore(call: Call, deeds: Deeds, more: More, scene: Scene): boolean {
  const { name: base, words } = call;
  if (more === "none") return true;
  const isMeasured = more !== "any" && MEASURING.has(base) && !words.some(({ text }) => /^-\w*f$|^--files/.test(text));
  const isShown = () =>
    more !== "any" &&
    (SHOWING.has(base) || (more.isOrdinary && readsMore(call) && !scene.cwds.some(holdsOddNames))) &&
    mayReadAll(more, scene);
  return deeds.reads && !deeds.isWrapper && (COUNTING.has(base) || isMeasured || isShown());
}

/** Whether a program changes two more files that are added to its words, and does nothing else. */
function editsMore(call: Call): boolean {
  if (call.words.some(({ text }) => text.includes("{}"))) return false;
  const { onlyEdits, doubts, paths } = deedsOf({ ...call, words: [...call.words, ...STAND_INS] });
  return (
    onlyEdits === true && doubts.length === 0 && STAND_INS.every((word) => paths.some((path) => path.word === word && path.use === "edits"))
  );
}

/** Whether a program reads two more files that are added to its words, and does nothing else with them. */
function readsMore(call: Call): boolean {
  if (call.name === "git" || call.words.some(({ text }) => text.includes("{}"))) return false;
  const { reads, doubts, paths } = deedsOf({ ...call, words: [...call.words, ...STAND_INS] });
  return (
    reads &&
    doubts.length === 0 &&
    STAND_INS.every((word) => paths.some(({ word: named, use }) => named === word && (use === "reads" || use === "searches")))
  );
}

const STAND_INS = ["./a.ts", "./b.ts"].map(literal);

function judgeDanger(base: string, words: readonly Word[], scene: Scene, found: Found): void {
  const danger = dangerOf(base, words, scene.cwds, scene.place.home);
  if (danger.refusal) found.refusals.add(danger.refusal);
  if (danger.doubt) found.doubts.add(danger.doubt);
}

function judgeRepository(words: readonly Word[], scene: Scene, found: Found): void {
  const at = subCommandAt(words);
  for (const strange of [strangeRepository(words, scene), strangeRemote(at, words, scene)])
    if (strange !== undefined) found.doubts.add(strange);
  for (const printed of printedByGit(words, scene)) {
    if (printed.chooses) found.accesses.push(...trackedBelow(printed.path, printed.chooses, scene));
    else judgePath({ word: literal(printed.path), use: "searches" }, scene, found);
  }
  if (words[at]?.text === "apply")
    for (const folder of foldersOf(words.slice(0, at), scene)) {
      const changed = changedByPatch(words.slice(at + 1), folder);
      if ("doubt" in changed) found.doubts.add(changed.doubt);
      else for (const each of changed) judgePath(each, { ...scene, cwds: [folder] }, found);
    }
  const printed = printedSecrets(words, scene);
  if ("doubt" in printed) found.doubts.add(printed.doubt);
  else for (const file of printed) judgePath({ word: literal(file), use: "reads" }, scene, found);
}

function judgeDeeds(deeds: Deeds, { scene, found }: Look): void {
  for (const doubt of deeds.doubts) found.doubts.add(doubt);
  if (deeds.refusal) found.refusals.add(deeds.refusal);
  for (const path of deeds.paths) judgePath(path, scene, found);
}

/** Adds the accesses of a path, or says why it is not known. */
export function judgePath(named: NamedPath, scene: Scene, found: Found): void {
  if (found.links.size > 0 && meetsLink(named, scene, found.links)) found.doubts.add("goes through a link that the text itself makes");
  if (found.brings && isMissing(named, scene, found)) found.doubts.add("uses a file that the text itself may bring as a link");
  const touched = touch(named, scene);
  if ("doubt" in touched) found.doubts.add(touched.doubt);
  else found.accesses.push(...touched);
  const moved = movedMade(named, scene, found);
  rememberMade(named, scene, found);
  if ("doubt" in moved) found.doubts.add(moved.doubt);
  else for (const each of moved) judgePath(each, scene, found);
}

/** Whether a path that is read or changed is not there yet, and the text does not say that it makes it. */
const isMissing = ({ word, use }: NamedPath, { cwds }: Scene, { made }: Found): boolean =>
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
  { scene, found, also }: Omit<Look, "walkText">,
  reads: boolean,
  onlyEdits = false,
  beyond?: Beyond,
): void {
  found.parts += 1;
  found.walked += 1;
  if (found.parts > scene.place.maxParts) found.doubts.add(`more than ${scene.place.maxParts} commands`);
  const resource = textOfAll(words);
  const [first, ...rest] = words;
  const plain =
    first !== undefined && baseOf(first.text) !== first.text ? [textOfAll([{ kind: "literal", text: baseOf(first.text) }, ...rest])] : [];
  const others = [...new Set([...scene.also, ...also, ...plain])].filter((text) => text !== resource);
  const given: PlacedRule = { action: "command", resource, effect: "allow", layer: "defaults", source: "reading command" };
  found.accesses.push({
    action: "command",
    resource,
    ...(others.length > 0 ? { also: others } : {}),
    ...(reads ? { reads: true } : {}),
    ...(onlyEdits && scene.place.trusted ? { onlyEdits: true } : {}),
    ...(reads && scene.place.trusted ? { given } : {}),
    ...(beyond
      ? {
          ...(beyond.verb === undefined ? {} : { verb: beyond.verb }),
          floor: floorFor(resource, `${beyond.verb ?? first?.text}: ${beyond.why}`),
        }
      : {}),
  });
}
