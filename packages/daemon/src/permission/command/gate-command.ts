import path from "node:path";
import type { GatedAccess } from "@baton/core/permission/judge";
import type { Access, Effect } from "@baton/core/protocol/rule";
import { withDiskView } from "../disk-view.ts";
import { pathGate } from "../path.ts";
import { isOddName } from "./files/find-secrets.ts";
import { isSecretFile } from "./files/key-files.ts";
import { complexityOf } from "./shell/complexity-score.ts";
import { DROPS_LINE, mayDropLine } from "./words/arithmetic.ts";
import { assignedIn, type Assigned } from "./words/assigned-variables.ts";
import { noFindings, type GateFindings } from "./gate-findings.ts";
import { judgeMovedFolders } from "./shell/judge-path.ts";
import { parseShell, type Script } from "./shell/parse.ts";
import type { CommandContext, ShellContext } from "./shell/shell-context.ts";
import { walkerFor } from "./shell/walk-script.ts";
import { isOverTime, withTimeLimit } from "./time-limit.ts";
import { literal } from "./words/word.ts";

const MAX_BYTES = 10_000;
const MAX_PARTS = 200;
/** The limit for separators. The time to parse a text grows with its parts. Nobody can review a text above the limit. */
const MAX_SEPARATORS = 1_000;

/** Control characters, and characters that make a text look different from what it runs. Tabs and line ends are allowed. */
const HIDDEN =
  // oxlint-disable-next-line no-control-regex
  /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|\p{Surrogate}|[\u{e0000}-\u{e0fff}]/u;

/** The character that joins two emoji into one, as in the emoji of a family. Source: UTS 51, "Emoji ZWJ Sequences". */
const JOINED_EMOJI = /(?<=\p{Extended_Pictographic}(?:\u{fe0f}|\p{Emoji_Modifier})?)\u200d(?=\p{Extended_Pictographic})/gu;

/**
 * Returns the accesses of a command: one for every program that it runs and every path that it is known to touch. If the gate
 * refuses the text, or the user has to see all of it, the whole text gets a floor.
 */
export const gateCommand = (text: string, context: CommandContext): GatedAccess[] =>
  withTimeLimit(() => withDiskView(() => judgeText(text, context)));

function judgeText(text: string, context: CommandContext): GatedAccess[] {
  const whole: Access = { action: "command", resource: text };
  if (HIDDEN.test(text.replaceAll(JOINED_EMOJI, ""))) return [floored(whole, "deny", "hidden or control characters")];
  if (Buffer.byteLength(text) > MAX_BYTES) return [floored(whole, "ask", "longer than 10 kB")];
  if (text.replaceAll(/[^;&|\n]/g, "").length > MAX_SEPARATORS) return [floored(whole, "ask", "too many commands to be judged")];
  const script = parseShell(text);
  if (!script || script.commands.length === 0) return [floored(whole, "ask", "cannot be read as a shell command")];
  const findings = noFindings();
  if (mayDropLine(script, text)) findings.doubts.add(DROPS_LINE);
  const scene = sceneOf(text, context, assignedIn(script), findings);
  const walker = walkerFor(findings);
  const ends = walker.walkScript(script, scene);
  const cwds = [...new Set([...ends, ...scene.cwds, ...findings.visited])];
  const { parts } = findings;
  // These checks may defer further checks. Those would only repeat the same work, so they are dropped.
  const later = findings.later.splice(0);
  const sources = () => [...findings.ran].map((file) => findings.origins.get(file)).join("\n");
  const sourcesBefore = sources();
  for (const judgeLater of later) judgeLater();
  if (later.length > 0) judgeMovedFolders(findings.entered, findings.moved, findings);
  // Something else may call a function that the text does not call.
  for (const { body } of findings.uncalled) walker.walkStatements(body.commands, { ...scene, cwds, depth: 2, isInFunction: true });
  for (const judgeTrap of findings.traps.values()) judgeTrap([...new Set([...cwds, ...findings.visited, ...findings.entered])]); // a trap may set others
  if (sources() !== sourcesBefore) findings.doubts.add("changes a script beside the commands that run it");
  findings.parts = parts;
  if (mayListMade(scene, findings))
    findings.doubts.add("uses names that another command lists, and makes files with names that change them");
  if (isOverTime()) findings.doubts.add("takes too long to be judged");
  const [first, ...others] = settle(findings, whole, plainCallIn(script));
  return first ? [{ ...first, complexity: complexityOf(script, text) }, ...others] : [];
}

/** True if the text passes on names in a list and makes links, or files whose names would not stay as they are. The order may be any. */
const mayListMade = ({ place: { usesLists, workspace } }: ShellContext, { brings, links, made }: GateFindings): boolean =>
  usesLists.size > 0 &&
  (brings ||
    links.size > 0 ||
    [...made].some(
      (file) =>
        isSecretFile(file) ||
        usesLists.has(file) ||
        usesLists.has(path.dirname(file)) ||
        isOddName(path.relative(workspace, file), { isGlobbed: usesLists.has("globbed") }),
    ));

function sceneOf(text: string, context: CommandContext, assigned: Assigned, { made }: GateFindings): ShellContext {
  const gatePath = pathGate(context.workspace, process.platform, new Map());
  const caches = {
    listings: new Map(),
    realFolders: new Map(),
    usesLists: new Set<string>(),
    copies: { count: 0, files: 0 },
    listed: { entries: 0 },
    mentioned: new Map(),
    gated: new Map(),
  };
  const empty = { settings: [], upstream: [], also: [], listed: new Map(), functions: new Map() };
  return {
    ...empty,
    place: { maxParts: MAX_PARTS, programs: new Map(), ...context, text, made, gatePath, ...caches },
    cwds: [context.workspace],
    variables: new Map(assigned.times.has("HOME") ? [] : [["HOME", literal(context.home)]]),
    assigned,
    fed: "nothing",
    incoming: "any",
    depth: 0,
  };
}

/** Returns the text of a single call that has no variables in front, no redirects and no blanks in its words. Nothing else happens then. */
function plainCallIn({ commands: [only, ...more] }: Script): string | undefined {
  const call = only?.command;
  if (more.length > 0 || only?.background || call?.type !== "Command" || !call.name || call.prefix.length > 0) return undefined;
  const words = [call.name, ...call.suffix.filter((each) => each.type === "Word")].map(({ value }) => value);
  return words.length > call.suffix.length && !words.some((word) => /\s/.test(word)) ? words.join(" ") : undefined;
}

function settle({ accesses, doubts, refusals, parts, isOpen }: GateFindings, whole: Access, plain: string | undefined): GatedAccess[] {
  const within = accesses.map((access): GatedAccess =>
    access.resource === whole.resource && access.action === whole.action ? access : { ...access, within: whole },
  );
  const floor: Effect = refusals.size > 0 ? "deny" : "ask";
  const why = [...(refusals.size > 0 ? refusals : doubts)].slice(0, 3).join("; ");
  const first = within.find(({ action }) => action === "command");
  if (!first) return [floored(whole, floor, why || "runs nothing that can be judged")];
  const all = distinct(within.map((access) => (access === first ? heardAs(first, whole) : access)));
  if (why === "") return all;
  // A user's rule can allow a single literal command as it is. Anything longer or not literal is allowed only exactly as it was shown.
  const own = within.filter(({ action }) => action === "command");
  const isOnly = ({ resource, action }: GatedAccess) => resource === own[0]?.resource && action === "command";
  if (plain === own[0]?.resource && parts === 1 && !isOpen && own.length === 1)
    return all.map((access) => (isOnly(access) ? floored(access, floor, why) : access));
  return [...all, floored(whole, floor, why)];
}

/** Adds the whole text to the names of an access, so that rules about the whole text apply too. */
const heardAs = (access: GatedAccess, { resource }: Access): GatedAccess =>
  access.resource === resource || access.also?.includes(resource) ? access : { ...access, also: [...(access.also ?? []), resource] };

/** Leaves out an access that is the same as one before, in everything that a verdict depends on. */
function distinct(accesses: readonly GatedAccess[]): GatedAccess[] {
  const seen = new Set<string>();
  const listings = new Map<GatedAccess["below"], number>();
  return accesses.filter((access) => {
    const listing = listings.get(access.below) ?? listings.size;
    listings.set(access.below, listing);
    const { action, resource, gateRule, floor, suspected, onlyEdits, also, calls } = access;
    const key = JSON.stringify([action, resource, !gateRule, floor?.effect, floor?.source, suspected, onlyEdits, listing, also, calls]);
    return !seen.has(key) && seen.add(key);
  });
}

function floored(access: GatedAccess, effect: Effect, why: string): GatedAccess {
  const { gateRule: _, verb: __, ...rest } = access;
  return { ...rest, floor: { action: access.action, resource: "*", effect, layer: "gate", source: `command gate: ${why}` } };
}
