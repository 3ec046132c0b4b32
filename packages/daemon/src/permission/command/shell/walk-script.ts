import type { Gated } from "@baton/core/permission/judge";
import {
  everyNode,
  parseShell,
  type Assignment,
  type BraceGroup,
  type CommandNode,
  type Command,
  type CompoundList,
  type For,
  type Function as FunctionNode,
  type PipelineNode,
  type Redirection,
  type Script,
  type Statement,
  type Word as Node,
  type AndOr,
  type SyntaxNode,
} from "./parse.ts";
import { assignedIn, isSetOnce } from "./assigned-variables.ts";
import { boundAfter, lineReadBy, readingIn } from "./known-variables.ts";
import type { Found } from "../gate-findings.ts";
import { leadsThrough } from "../files/new-links.ts";
import { addCommand, lookAt } from "./judge-command.ts";
import { hereDocOf } from "./known-output.ts";
import { redirect, type Read } from "./redirect.ts";
import { walkTest } from "./conditional-expression.ts";
import { moveTo } from "./change-directory.ts";
import { filesListedBy, filesNamedBy, incomingFrom, incomingThrough } from "./piped-names.ts";
import { together } from "./listing.ts";
import type { Scene } from "./shell-context.ts";
import { isKnownProgram } from "../programs/classify-program.ts";
import { STEERING } from "../programs/shell-builtins.ts";
import { asFlag } from "../files/path-accesses.ts";
import { harmlessSetting, ownVariable } from "./harmless-variables.ts";
import { literal, readWord, textOfAll, type Reading, type Word } from "./word.ts";

const MOST_DEPTH = 24;
type Folders = readonly string[];

/** Judges every command of a script, in every nesting. Answers the folders it may end in. */
export function walkScript(script: Script, scene: Scene, found: Found): Folders {
  if (scene.depth > MOST_DEPTH) {
    found.doubts.add("is nested too deep to be judged");
    return scene.cwds;
  }
  return walkStatements(script.commands, { ...scene, depth: scene.depth + 1 }, found);
}

/** Judges shell text that stands inside of a command, as its own script. */
export function walkText(text: string, scene: Scene, found: Found): void {
  const script = parseShell(text);
  if (!script || script.commands.length === 0) found.doubts.add("runs shell text that cannot be read");
  else {
    const bound = new Map([...scene.bound].filter(([name]) => name === "HOME"));
    walkScript(script, { ...scene, bound, listed: new Map(), functions: new Map(), assigned: assignedIn(script, scene.assigned) }, found);
  }
}

function walkStatements(statements: readonly Statement[], scene: Scene, found: Found): Folders {
  let cwds = scene.cwds;
  let { bound } = scene;
  for (const { command, background } of statements) {
    if (found.walked > MOST_WALKED) {
      found.doubts.add("runs through too much to be judged");
      break;
    }
    if (background) found.doubts.add("goes on in the background, unseen");
    if (command.type === "Function" && scene.depth === 1 && !background && defines(command))
      scene.functions.set(command.name.text, command.body);
    else if (command.type === "AndOr") cwds = walkAndOr(command, { ...scene, cwds, bound }, found);
    else {
      cwds = walkPipeline(command, { ...scene, cwds, bound }, found);
      if (!background) bound = boundAfter(command, { ...scene, cwds, bound });
    }
    if (cwds.length > MOST_FOLDERS) {
      found.doubts.add("changes the folder too often to be followed");
      cwds = cwds.slice(0, MOST_FOLDERS);
    }
  }
  return cwds;
}

const MOST_FOLDERS = 8;

type Plain = FunctionNode & { body: BraceGroup };

/** Whether a definition only names commands. A name that the gate knows as a program would mean something else from here on. */
const defines = (node: FunctionNode): node is Plain =>
  node.body.type === "BraceGroup" &&
  /^[a-z_]\w*$/i.test(node.name.text) &&
  !/^(cd|timeout|sudo|fdfind)$/.test(node.name.text) &&
  !isKnownProgram(node.name.text) &&
  !STEERING.has(node.name.text) &&
  !movesArguments(node.body);

/** With `shift`, `$1` is not what the call gives first. */
function movesArguments(body: SyntaxNode): boolean {
  let moves = false;
  everyNode(body, (node) => {
    moves ||= node.type === "Word" && node.value.includes("shift");
  });
  return moves;
}

function walkAndOr({ commands, operators }: AndOr, scene: Scene, found: Found): Folders {
  let cwds = scene.cwds;
  let ended: Folders = [];
  let { bound } = scene;
  const isChain = operators.every((operator) => operator === "&&");
  commands.forEach((command, i) => {
    const before = cwds;
    cwds = walkPipeline(command, { ...scene, cwds, bound }, found);
    if (isChain) bound = boundAfter(command, { ...scene, cwds, bound });
    if (operators[i] === "&&" && isMove(command) && before.length === 1) {
      // Behind `cd x &&` it is sure that the folder was reached.
      const reached = cwds.filter((cwd) => !before.includes(cwd));
      if (reached.length > 0 && reached.length < cwds.length) {
        ended = union(ended, before);
        cwds = reached;
      }
    }
    // What stands behind `||` runs where the one before failed, and what stands behind `&&` may not run at all.
    if (operators[i] === "||") cwds = union(before, cwds);
    if (i > 0) ended = union(ended, before);
  });
  return union(cwds, commands.length > 1 && operators.includes("||") ? union(ended, scene.cwds) : ended);
}

const isMove = (node: PipelineNode): boolean => node.type === "Command" && node.name?.text === "cd";

const union = (a: Folders, b: Folders): Folders => [...new Set([...a, ...b])];

function walkPipeline(node: PipelineNode, scene: Scene, found: Found): Folders {
  if (node.type !== "Pipeline") return walkCommand(node, scene, found);
  if (node.commands.length === 1 && node.commands[0]) return walkCommand(node.commands[0], scene, found);
  const upstream = [...scene.upstream];
  node.commands.forEach((command, i) => {
    walkCommand(
      command,
      {
        ...scene,
        upstream: [...upstream],
        fed: i > 0 ? "pipe" : scene.fed,
        incoming: i > 0 ? incomingFrom(node.commands.slice(0, i)) : scene.incoming,
      },
      found,
    );
    upstream.push(...programsIn(command));
  });
  return scene.cwds;
}

/** All words that could be programs, to tell where a pipe comes from. */
function programsIn(node: SyntaxNode): string[] {
  const names: string[] = [];
  everyNode(node, (each) => {
    if (each.type === "Word") names.push(each.value.split("/").at(-1) ?? "");
  });
  return names;
}

function walkCommand(node: CommandNode, scene: Scene, found: Found): Folders {
  const body = (list: CompoundList, inner: Scene = scene): Folders => walkStatements(list.commands, deeper(inner, found), found);
  switch (node.type) {
    case "Command":
      return walkSimple(node, scene, found);
    case "Redirected": {
      const fed = redirect(node.redirects, scene, found, reader(scene, found));
      return walkCommand(node.command, { ...fedWith(fed, scene), ...(fed ? { incoming: incomingThrough(node.redirects) } : {}) }, found);
    }
    case "Subshell":
      body(node.body);
      return scene.cwds;
    case "BraceGroup":
      return body(node.body);
    case "If": {
      let cwds = union(scene.cwds, body(node.clause));
      let ends = body(node.then, { ...scene, cwds });
      for (const { clause, then } of node.elif) {
        cwds = union(cwds, body(clause, { ...scene, cwds }));
        ends = union(ends, body(then, { ...scene, cwds }));
      }
      return union(cwds, node.else ? union(ends, body(node.else, { ...scene, cwds })) : ends);
    }
    case "While": {
      const links = found.links.size;
      const after = union(scene.cwds, body(node.clause));
      const { incoming } = scene;
      const line = typeof incoming === "object" ? lineReadBy(node.clause) : undefined;
      const isListed = line !== undefined && typeof incoming === "object" && isSetOnce(line, scene.assigned);
      const listed = isListed ? new Map(scene.listed).set(line, incoming) : scene.listed;
      const once = union(after, body(node.body, { ...scene, cwds: after, listed, incoming: "any" }));
      if (once.length > after.length) found.doubts.add("changes the folder in a loop");
      if (found.links.size > links) found.doubts.add("makes links in a loop");
      return once;
    }
    case "For":
      return walkFor(node, scene, found);
    case "Case": {
      readWords([node.word], scene, found);
      let ends = scene.cwds;
      let carried: Folders = []; // `;&` and `;;&` go on to the next item
      for (const { pattern, body: list, terminator } of node.items) {
        readWords(pattern, scene, found);
        const end = body(list, { ...scene, cwds: union(scene.cwds, carried) });
        ends = union(ends, end);
        carried = terminator === ";;" || terminator === undefined ? [] : union(carried, end);
      }
      return ends;
    }
    case "TestCommand":
      walkTest(node.expression, found, reader(scene, found));
      addCommand([literal("[[")], { scene, found, also: [] }, true);
      return scene.cwds;
    case "ArithmeticFor":
    case "ArithmeticCommand":
    case "Select":
    case "Function":
    case "Coproc":
      found.doubts.add(UNJUDGED[node.type]);
      return scene.cwds;
  }
}

/** What a redirect brings stands in the place of what a pipe would. */
const fedWith = (fed: Scene["fed"] | undefined, scene: Scene): Scene => (fed === undefined ? scene : { ...scene, fed, incoming: "any" });

const UNJUDGED = {
  ArithmeticFor: "computes with variables",
  ArithmeticCommand: "computes with variables",
  Select: "waits for a choice",
  Function: "gives a name to commands (a function)",
  Coproc: "goes on in the background, unseen",
};

function deeper(scene: Scene, found: Found): Scene {
  if (scene.depth > MOST_DEPTH) found.doubts.add("is nested too deep to be judged");
  return scene.depth > MOST_DEPTH ? scene : { ...scene, depth: scene.depth + 1 };
}

const MOST_ROUNDS = 40;
const MOST_WALKED = 2_000;

/** A loop over words that are sure is walked once for each of them. */
function walkFor({ name, wordlist, body }: For, scene: Scene, found: Found): Folders {
  const words = wordlist ? readWords(wordlist, scene, found) : undefined;
  const isSure =
    words !== undefined &&
    words.length <= MOST_ROUNDS &&
    words.every(({ kind }) => kind !== "open") &&
    isSetOnce(name.value, scene.assigned);
  if (!ownVariable(name.value) && !/^[A-Z][A-Z0-9_]?$/.test(name.value)) found.doubts.add(`sets the variable ${name.value}`);
  const without = new Map([...scene.bound].filter(([bound]) => bound !== name.value));
  const [only, ...more] = wordlist ?? [];
  const listing = only && more.length === 0 && isSetOnce(name.value, scene.assigned) ? filesListedBy(only) : undefined;
  const listed = listing ? new Map(scene.listed).set(name.value, listing) : scene.listed;
  const rounds = isSure ? words.map((word) => new Map(without).set(name.value, word)) : [without];
  let cwds = scene.cwds;
  let once: number | undefined;
  for (const bound of rounds) {
    const after = union(cwds, walkStatements(body.commands, deeper({ ...scene, cwds, bound, listed }, found), found));
    if (after.length > cwds.length) found.doubts.add("changes the folder in a loop");
    cwds = after.slice(0, MOST_FOLDERS);
    once ??= found.parts;
    found.parts = once;
  }
  return cwds;
}

function walkSimple(node: Command, scene: Scene, found: Found): Folders {
  const assignments = node.prefix.filter((each): each is Assignment => each.type === "Assignment");
  const redirects = redirect(
    [...node.prefix, ...node.suffix].filter(
      (each): each is Redirection => each.type === "Redirect" || each.type === "HereDoc" || each.type === "HereString",
    ),
    scene,
    found,
    reader(scene, found),
  );
  const inside = fedWith(redirects, scene);
  for (const assignment of assignments) assign(assignment, node.name?.text, inside, found);
  if (!node.name) {
    addCommand([literal(assignments.map(({ text }) => text).join(" ") || ":")], { scene, found, also: [] }, true);
    return scene.cwds;
  }
  const written = node.suffix
    .filter((each) => each.type === "Word" || each.type === "Assignment")
    .map((each) => (each.type === "Word" ? each : wordOf(each, inside, found)));
  const listings = new Map(written.map((each) => [each, filesListedBy(each) ?? filesNamedBy(each, scene.listed)] as const));
  const listed = written.filter((each) => listings.get(each));
  readWords(listed, inside, found); // what runs in them is judged, and what they become comes in as with xargs
  const words = readWords([node.name, ...written.filter((each) => !listed.includes(each))], inside, found).map((word) =>
    asFlag(word, inside, found.accesses.some(makesFlag)),
  );
  if (words[0]?.kind === "literal" && /\$(?!\{?(HOME|PWD)\b)/.test(node.name.text.replace(/\$?'[^']*'/g, "")))
    words[0] = { kind: "open", text: node.name.text, prefix: "", single: false };
  const called = words[0]?.kind === "literal" && node.name.parts === undefined ? scene.functions.get(words[0].text) : undefined;
  if (called && listed.length === 0 && assignments.length === 0) return walkFunction(called, words, inside, found);
  const present = words.filter((word) => word.kind !== "literal" || !word.vanishes);
  if (words.length - present.length > 1) found.doubts.add("has arguments of which it is not clear that they are there");
  const moved = moveTo(words, scene, found.visited);
  if (moved) {
    if ("doubt" in moved) found.doubts.add(moved.doubt);
    else {
      found.accesses.push(...moved.accesses);
      if (found.links.size > 0 && moved.cwds.some((cwd) => leadsThrough(cwd, found.links)))
        found.doubts.add("goes through a link that the text itself makes");
    }
    for (const cwd of scene.cwds) found.visited.add(cwd);
    addCommand(words, { scene, found, also: [] }, true);
    return "doubt" in moved ? scene.cwds : moved.cwds;
  }
  const look = {
    scene: inside,
    found,
    walkText: (text: string, at: Scene) => walkText(text, { ...at, depth: at.depth + 1 }, found),
    also: [],
  };
  const more = listed.length > 0 ? together(listed.flatMap((each) => listings.get(each) ?? [])) : "none";
  lookAt(words, look, more);
  if (present.length < words.length) lookAt(present, look, more);
  return scene.cwds;
}

/** Walks the body of a function with the values of this call. */
function walkFunction({ body }: BraceGroup, words: readonly Word[], scene: Scene, found: Found): Folders {
  found.walked += 1;
  if (scene.depth > MOST_DEPTH) {
    found.doubts.add("is nested too deep to be judged");
    return scene.cwds;
  }
  if (words.some((word) => word.kind === "pattern" || (word.kind === "open" ? !word.single : word.vanishes)))
    found.doubts.add("calls a function with words that cannot be counted");
  const values = words.slice(1).map((word, i) => [String(i + 1), word] as const);
  const bound = new Map([...[...scene.bound].filter(([name]) => !/^\d+$/.test(name)), ...values]);
  const also = [...scene.also, textOfAll(words)];
  return walkStatements(body.commands, { ...scene, bound, also, depth: scene.depth + 1 }, found);
}

/** The text makes a file whose name a program would take for a flag, or files of names that are not known. */
const makesFlag = ({ action, resource, below }: Gated): boolean =>
  action === "edit" && (below !== undefined || /(^|\/)-[^/]*$/.test(resource));

/** `declare x=1`: the parser sees an assignment among the words. */
function wordOf(assignment: Assignment, scene: Scene, found: Found): Node {
  const { text, pos, end } = assignment;
  const values = assignment.value.type === "Word" ? [assignment.value] : assignment.value.elements;
  readWords(values, scene, found);
  const isPlain = values.every((value) => value.parts === undefined);
  if (!isPlain) found.isOpen = true;
  return isPlain
    ? { type: "Word", text, value: text, pos, end }
    : { type: "Word", text: "$_", value: "$_", pos, end, parts: [{ type: "SimpleExpansion", text: "$_", pos, end }] };
}

/** `program` is what the variable is set for; undefined where it stands alone. */
function assign({ name, value, index, text }: Assignment, program: string | undefined, scene: Scene, found: Found): void {
  const [word] = readWords(value.type === "Word" ? [value] : value.elements, scene, found);
  const setting = word === undefined ? "" : word.kind === "literal" ? word.text : undefined;
  const isHarmless =
    program === undefined ? ownVariable(name) : harmlessSetting(name, setting, program) || (name === "IFS" && program === "read");
  if (index !== undefined || (value.type !== "Word" && program !== undefined) || !isHarmless)
    found.doubts.add(`sets the variable ${(name || text).slice(0, 60)}`);
}

function readWords(nodes: readonly Node[], scene: Scene, found: Found): Word[] {
  const reading = wordReading(scene, found);
  return nodes.flatMap((node) => readWord(node, reading));
}

/** Reads words and judges what runs inside of them. */
function wordReading(scene: Scene, found: Found): Reading {
  const certain = readingIn(scene, (why) => void found.doubts.add(why));
  return {
    ...certain,
    inner: (script) => {
      if (!script || script.commands.length === 0) {
        found.doubts.add("holds a substitution that cannot be read");
        return undefined;
      }
      const document = hereDocOf(script);
      if (document) return document;
      walkScript(script, { ...scene, upstream: [] }, found);
      return certain.inner(script);
    },
  };
}

const reader =
  (scene: Scene, found: Found): Read =>
  (nodes) =>
    readWords(nodes, scene, found);
