import { realpathSync } from "node:fs";
import path from "node:path";
import type { PlacedRule } from "@baton/core/protocol/rule";
import { showsLimits, STEERING } from "./builtin.ts";
import { dangerOf } from "./danger.ts";
import { strangeRepository } from "./git-place.ts";
import { printedByGit, printedSecrets, tracksSecrets } from "./git-tracked.ts";
import { nothingFound, type Found } from "./found.ts";
import { mentioned } from "./mentioned.ts";
import type { Call, Deeds, More, NamedPath } from "./program.ts";
import { deedsOf, isKnownProgram } from "./programs.ts";
import { asksVersion, isChosenHere } from "./runner.ts";
import type { Scene } from "./scene.ts";
import { holdsOddNames } from "./secrets-below.ts";
import { readings } from "./sub-command.ts";
import { holdsHiddenWays, holdsLinks, listedBelow, touch, trackedBelow } from "./touch.ts";
import { literal, type Word } from "./word.ts";
import { unwrap } from "./wrapper.ts";

/** What a simple command is looked at with: `walkText` judges shell text that it runs, `also` are texts around it. */
export type Look = { scene: Scene; found: Found; walkText: (text: string, scene: Scene) => void; also: readonly string[] };

const MOST_WRAPS = 8;

/** Judges one program with its words: itself, what it touches, and what it runs in turn. */
export function lookAt(words: readonly Word[], look: Look, more: More = "none", depth = 0): void {
  const { scene, found } = look;
  const [name, ...rest] = words;
  if (!name) return;
  if (words.some((word) => word.kind !== "literal")) found.isOpen = true;
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
  const deeds = known.reads && asksVersion(base, rest) && isChosenHere(base, scene.cwds) ? { ...known, reads: false } : known;
  judgeDanger(base, rest, scene, found);
  if (base === "git") judgeRepository(rest, scene, found);
  if (!takesMore(call, deeds, more, scene)) found.doubts.add(`${base} gets arguments that are known only when it runs`);
  else if (more !== "none" && !COUNTING.has(base)) found.accesses.push(...listedBelow(scene));
  const alike = [
    ...[...(deeds.plainly ? [deeds.plainly] : []), ...(deeds.like ?? [])].map(textOfAll),
    ...otherNames(base, rest),
    ...readings(rest)
      .slice(1)
      .map((each) => textOfAll([literal(base), ...each])),
    ...(isKnown && isKnownProgram(base) && !RUNS_ELSEWHERE.has(base) ? [] : textsIn(rest)),
  ];
  if (!deeds.isWrapper)
    addCommand(
      words,
      { ...look, also: [...look.also, ...alike] },
      (name.text === base || isInstalled(name.text)) && deeds.reads && deeds.doubts.length === 0 && !inner,
      isKnown && more === "none" && deeds.onlyEdits === true && deeds.doubts.length === 0,
    );
  judgeDeeds(deeds, look);
  for (const link of linksMade(base, deeds, scene)) found.links.add(link).add(realPath(link));
  for (const like of deeds.like ?? []) heed(like, inside, depth + 1);
  for (const run of deeds.runs ?? []) lookAt(run.words, inside, run.more, depth + 1);
  for (const script of deeds.scripts ?? []) look.walkText(script, { ...scene, also: inside.also });
}

/** The same call under other names of the program: git's parts are programs too, and versions have names of their own. */
function otherNames(base: string, words: readonly Word[]): string[] {
  const known = /^git-(.+)$/.exec(base)?.[1];
  const name = known === undefined ? /^(python|pip|node|ruby|perl|php)[\d.]+$/.exec(base)?.[1] : `git ${known}`;
  return name === undefined ? [] : [textOfAll([literal(name), ...words])];
}

/** Programs that run the words behind some of theirs on another machine, or in a container. */
const RUNS_ELSEWHERE = new Set("docker docker-compose podman kubectl ssh mosh nix doppler".split(" "));

const MOST_POSITIONS = 60;

/** An unknown program may run what stands among its words, or text in one of them, so what rules deny holds from each of them on. */
function textsIn(words: readonly Word[]): string[] {
  const positions = words.slice(0, MOST_POSITIONS).flatMap((word, i) => (word.text.startsWith("-") ? [] : [words.slice(i)]));
  const plain = positions.flatMap((each) => [textOfAll(each), ...plainText(each), each[0]?.text ?? ""]);
  const scripts = words.flatMap(({ text }) => (/\s/.test(text) ? commandsIn(text.replace(/^[\w-]*[=:]/, "")) : []));
  return [...new Set([...plain, ...scripts])].filter((text) => text !== "");
}

/** `git push` for `git -C x push`, so that rules about it hold. */
function plainText([first, ...words]: readonly Word[]): string[] {
  if (first?.text !== "git") return [];
  const { plainly } = deedsOf({ name: "git", words, fed: "nothing", upstream: [], incoming: "none" });
  const global = words.findIndex(({ text }, i) => !text.startsWith("-") && !/^-[cC]$/.test(words[i - 1]?.text ?? ""));
  return [...(plainly ? [textOfAll(plainly)] : []), textOfAll([first, ...words.slice(Math.max(global, 0))])];
}

/** The commands of a text, roughly: what stands between the signs that part them, without wrappers and settings in front. */
const commandsIn = (text: string): string[] =>
  text
    .split(/[;&|\n(){}`]+/)
    .map((each) => each.trim().replace(/^((env|command|exec|nohup|time|sudo)\s+|[A-Za-z_]\w*=\S*\s+)+/, ""))
    .flatMap((each) => {
      const words = each.split(/\s+/).map(literal);
      return words.slice(0, MOST_POSITIONS).flatMap((_, i) => [textOfAll(words.slice(i)), ...plainText(words.slice(i))]);
    });

/** Takes over what would be asked of a program, without asking for the program itself; what it runs in turn is asked for. */
function heed(words: readonly Word[], look: Look, depth: number): void {
  const { parts, walked, links } = look.found;
  const aside: Found = { ...nothingFound(), parts, walked, links };
  lookAt(words, { ...look, found: aside }, "none", depth);
  for (const doubt of aside.doubts) look.found.doubts.add(doubt);
  for (const refusal of aside.refusals) look.found.refusals.add(refusal);
  const own = textOfAll(words);
  look.found.accesses.push(...aside.accesses.filter(({ action, resource }) => action !== "command" || resource !== own));
}

/** The shell looks for it in the folders of PATH. */
const isByName = (name: string): boolean => !name.includes("/");
/** Where systems keep their programs. A file at any other path could be anything, whatever it is called. */
const isInstalled = (name: string): boolean => /^\/(usr\/)?(local\/)?s?bin\/[^/]+$|^\/opt\/homebrew\/bin\/[^/]+$/.test(name);

/** A program at a path of its own. It may do what the program of that name does, so what asks there asks here. */
function strangeProgram(call: Call): Deeds {
  return { reads: false, paths: mentioned(call), doubts: [], like: [[literal(call.name), ...call.words]] };
}

/** Programs that only name or count what they are given, so that it does not matter which files that are. */
const COUNTING = new Set("ls stat basename dirname realpath readlink echo".split(" "));
/** Programs that only measure files, unless a flag makes them read names out of one. */
const MEASURING = new Set("wc file du".split(" "));
/** Programs that show files, and that no argument makes do more. */
const SHOWING = new Set("cat head tail grep egrep fgrep nl cksum md5sum sha1sum sha256sum".split(" "));

/** Whether it is the same for judging what else comes in as arguments. */
function takesMore(call: Call, deeds: Deeds, more: More, scene: Scene): boolean {
  const { name: base, words } = call;
  if (more === "none") return true;
  const measures = more !== "any" && MEASURING.has(base) && !words.some(({ text }) => /^-\w*f$|^--files/.test(text));
  const shows = () =>
    more === "ordinary" &&
    (SHOWING.has(base) || (readsMore(call) && !scene.cwds.some(holdsOddNames))) &&
    !tracksSecrets(scene) &&
    !holdsHiddenWays(scene);
  return deeds.reads && !deeds.isWrapper && (COUNTING.has(base) || measures || shows());
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
  const strange = strangeRepository(words, scene);
  if (strange !== undefined) found.doubts.add(strange);
  for (const { path, chooses } of printedByGit(words, scene)) {
    if (chooses) found.accesses.push(...trackedBelow(path, chooses, scene));
    else judgePath({ word: literal(path), use: "searches" }, scene, found);
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
  const touched = touch(named, scene);
  if ("doubt" in touched) found.doubts.add(touched.doubt);
  else found.accesses.push(...touched);
}

/** Where a call puts links, or copies whose content nobody has seen there: `ln`, moved or copied links, and another tree of a repository. */
function linksMade(base: string, deeds: Deeds, scene: Scene): string[] {
  if (base === "ln") return linksOf(deeds, scene);
  if (base === "git")
    return deeds.paths.flatMap(({ word, search }) => (search?.fills ? scene.cwds.map((cwd) => path.resolve(cwd, word.text)) : []));
  if (!/^(mv|cp|rsync)$/.test(base)) return [];
  const sources = deeds.paths.find(({ from }) => from)?.from ?? [];
  const holdsLink = sources.some(({ text }) => scene.cwds.some((cwd) => holdsLinks(path.resolve(cwd, text))));
  return holdsLink ? linksOf(deeds, scene) : [];
}

/** Where a call of `ln` puts its links: at the name that it gives, or in the folder with the names of what they lead to. */
function linksOf({ paths }: Deeds, { cwds }: Scene): string[] {
  const target = paths.find(({ from }) => from);
  const sources = target?.from ?? paths.map(({ word }) => word);
  const names = sources.map(({ text }) => path.basename(text));
  const at = target?.word.text;
  return cwds.flatMap((cwd) =>
    at === undefined
      ? names.map((name) => path.join(cwd, name))
      : [path.resolve(cwd, at), ...names.map((name) => path.resolve(cwd, at, name))],
  );
}

/** Whether a path goes through one of these links, or to where one may be. */
function meetsLink({ word, use, search }: NamedPath, { cwds }: Scene, links: ReadonlySet<string>): boolean {
  if (word.kind === "open") return false;
  const start = word.kind === "pattern" ? path.dirname(word.text.replace(/[*?[{].*$/s, "x")) : word.text;
  const goesBelow =
    word.kind === "pattern" || use === "searches" || search?.follows === true || search?.tree === true || search?.fills === true;
  return cwds.some((cwd) => {
    const place = path.resolve(cwd, start);
    return [place, realPath(place)].some(
      (each) => leadsThrough(each, links) || (goesBelow && [...links].some((link) => link.startsWith(`${each}/`))),
    );
  });
}

/** With links followed, as far as it is there. */
function realPath(file: string): string {
  const parent = path.dirname(file);
  try {
    return realpathSync(file);
  } catch {
    return parent === file ? file : path.join(realPath(parent), path.basename(file));
  }
}

export const leadsThrough = (file: string, links: ReadonlySet<string>): boolean =>
  [...links].some((link) => file === link || file.startsWith(`${link}/`));

/** The name that a program is known under: without its folder, and without the `g` that GNU's programs have beside others. */
const baseOf = (name: string): string =>
  name
    .slice(name.lastIndexOf("/") + 1)
    .replace(/^g(?=(timeout|nice|nohup|env|stdbuf|xargs|rm|mv|cp|dd|ln|chmod|chown|find|tee|install|split|shred)$)/, "");

/** Adds the access of the command itself, under all the names by which rules may know it. */
export function addCommand(
  words: readonly Word[],
  { scene, found, also }: Omit<Look, "walkText">,
  reads: boolean,
  onlyEdits = false,
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
  });
}

export const textOfAll = (words: readonly Word[]): string => words.map(({ text }) => text).join(" ");
