import { omitUndefined } from "@baton/core/text/omit-undefined";
import path from "node:path";
import { judge, type RuleSet } from "@baton/core/permission/judge";
import type { SourcedRule } from "@baton/core/protocol/rule";
import { sandboxEdits } from "../../session/calls/judge/judge-sandbox.ts";
import type { limitedFiles } from "../../permission/limited-files.ts";
import { artifactsAmong } from "../../system/sandbox/artifact-folders.ts";
import type { SandboxView } from "../../system/sandbox/sandbox.ts";

type Scope = {
  workspace: string;
  writable: readonly string[];
  ownRoots: readonly string[];
  /** A part of the gates, which are loaded late. */
  limitedFiles: typeof limitedFiles;
};

/**
 * Above this number of files the sandbox takes too long to start. The time grows with the square, because bubblewrap reads all mounts for
 * each.
 */
const MAX_LIMITED = 250;

/**
 * The part of the machine that a command sees in the sandbox: files that it could not read without a question are hidden, and files that it
 * could not change without one are read-only. If there are too many such files, returns a sentence that says so.
 */
export function sandboxView(rules: RuleSet, { workspace, writable, ownRoots, limitedFiles: findLimited }: Scope): SandboxView | string {
  const edits = sandboxEdits(rules);
  const mayRead = (resource: string, floor: SourcedRule | undefined): boolean =>
    judge(rules, "read", [{ action: "read", resource, ...omitUndefined({ floor }) }]).effect === "allow";
  const editRules = edits === "artifacts" ? withoutGeneralAsks(rules) : rules;
  const mayEdit = (resource: string, floor: SourcedRule | undefined): boolean =>
    judge(editRules, "edit", [{ action: "edit", resource, ...omitUndefined({ floor }) }]).effect === "allow";
  const packages = [...rules.rules, ...rules.ceilings.flat()].flatMap(({ effect, resource }) =>
    effect !== "allow" && typeof resource === "string" && resource.includes("node_modules/") ? (/^[^*?]*/.exec(resource)?.[0] ?? []) : [],
  );
  const changes: string[] = [];
  const hidden: string[] = [];
  const readOnly: string[] = [];
  const repositories: string[] = [];
  const links: string[] = [];
  for (const folder of [workspace, ...writable]) {
    const nameOf = (below: string) => (folder === workspace ? below : path.join(folder, below));
    const limited = findLimited(folder, ownRoots, {
      reads: hasOwnLimits(rules, "read"),
      edits: edits !== "none" && hasOwnLimits(rules, "edit"),
      mayRead: (below, floor) => mayRead(nameOf(below), floor),
      mayEdit: (below, floor) => mayEdit(nameOf(below), floor),
      enters: (below) => packages.some((start) => start.startsWith(`${below}/`) || `${below}/`.startsWith(start)),
    });
    if (!limited.isWhole)
      return `The command was not run, because ${folder} has too many files to look for those that the sandbox must protect. ${INSTEAD}`;
    if (edits === "artifacts") changes.push(...artifactsAmong(folder, limited.folders));
    hidden.push(...limited.hidden);
    readOnly.push(...limited.readOnly, ...(edits === "none" ? [] : foldersOfNewFiles(editRules, folder, limited.folders)));
    repositories.push(...limited.repositories);
    links.push(...limited.links);
  }
  if (hidden.length + readOnly.length + repositories.length > MAX_LIMITED)
    return `The command was not run, because the sandbox must protect more than ${MAX_LIMITED} files of the workspace. ${INSTEAD}`;
  return { cwd: workspace, writable, edits, changes, hidden, readOnly: [...new Set(readOnly)], repositories, links };
}

/** Returns folders of this list in which a rule limits new files by their names, such as `migrations/*.sql`. */
const foldersOfNewFiles = ({ rules, ceilings }: RuleSet, folder: string, folders: readonly string[]): string[] => {
  const limiting = [...rules, ...ceilings.flat()].filter(
    ({ action, effect, layer, resource }) =>
      effect !== "allow" && layer !== "defaults" && action === "edit" && typeof resource === "string",
  );
  const named = new Set(limiting.flatMap(({ resource }) => /^([^*?]+)\/[^/*?]*[*?][^/]*$/.exec(String(resource))?.[1] ?? []));
  return folders.filter((below) => named.has(below)).map((below) => path.join(folder, below));
};

/** Where edits ask, folders of build results can be written, unless a rule says something about their names. */
function withoutGeneralAsks(rules: RuleSet): RuleSet {
  const lifted = (list: readonly SourcedRule[]): SourcedRule[] =>
    list.map((rule) => (rule.effect === "ask" && rule.resource === "*" ? { ...rule, effect: "allow" } : rule));
  return { ...rules, rules: lifted(rules.rules), ceilings: rules.ceilings.map(lifted) };
}

const INSTEAD = "Call run_command again with outside_sandbox to ask the user.";

/** Whether rules other than the defaults limit files by their names. */
const hasOwnLimits = ({ rules, ceilings }: RuleSet, action: string): boolean =>
  [rules, ...ceilings].some((list) =>
    list.some(
      (rule) =>
        rule.layer !== "defaults" &&
        rule.resource !== "*" &&
        isFor(rule, action) &&
        (rule.effect !== "allow" || isException(rule, action, list)),
    ),
  );

const isFor = (rule: SourcedRule, action: string): boolean => rule.action === action || rule.action.includes("*");

/** True for a rule that allows some files of those that an earlier one in its list limits: all others are limited by name. */
const isException = (rule: SourcedRule, action: string, list: readonly SourcedRule[]): boolean =>
  list.slice(0, list.indexOf(rule)).some((each) => each.effect !== "allow" && each.layer !== "defaults" && isFor(each, action));
