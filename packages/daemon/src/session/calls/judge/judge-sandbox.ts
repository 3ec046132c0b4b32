import { fullyDenied, judge, type RuleSet } from "@baton/core/permission/judge";
import { matchesWildcard } from "@baton/core/permission/wildcard";
import { commandPrefix } from "@baton/core/session/command-prefix";
import type { AccessVerdict, SourcedRule, Verdict } from "@baton/core/protocol/rule";
import type { Tool } from "../../../tool/tool-types.ts";
import type { SandboxEdits } from "../../../system/sandbox/sandbox.ts";

/** The action of the rule that stands for the sandbox. */
const SANDBOX = "sandbox";

/** The rule of a command that was allowed because it stays in the sandbox. It must run there. */
export const SANDBOX_RULE: SourcedRule = {
  action: SANDBOX,
  resource: "*",
  effect: "allow",
  layer: "defaults",
  source: "the setting sandbox",
};

/** Whether a call was allowed only because it stays in the sandbox. */
export const isContained = (verdict: Verdict | undefined): boolean => verdict?.effect === "allow" && verdict.rule?.action === SANDBOX;

const TOOL = "run_command";

/** A file in the workspace about which no rule says anything by its name. */
const ANY_FILE = "any-file-of-the-workspace";

/** The files that a command in the sandbox may change, by the rules for edits. */
export function sandboxEdits(rules: RuleSet): SandboxEdits {
  if (fullyDenied(rules, "edit", TOOL)) return "none";
  const { effect } = judge(rules, TOOL, [{ action: "edit", resource: ANY_FILE }]);
  return effect === "allow" ? "all" : effect === "ask" ? "artifacts" : "none";
}

/**
 * What a command in the sandbox can read and change, as a text that is compared. It differs between modes, and changes with the rules that hide or
 * protect files and with the folders of the session. A new grant for files opens them to the next command only, so it is not part of the text.
 */
export function sandboxReach(mode: string, rules: RuleSet): string {
  const ofFiles = [...rules.rules, ...rules.ceilings.flat()].filter(
    ({ action, effect, layer }) =>
      layer !== "defaults" &&
      (matchesWildcard(action, FOLDERS) ||
        (["read", "edit"].some((each) => matchesWildcard(action, each)) && !(effect === "allow" && GRANTS.has(layer)))),
  );
  return JSON.stringify([mode, sandboxEdits(rules), ofFiles.map(({ action, resource, effect }) => [action, resource, effect])]);
}

const FOLDERS = "external_directory";
const GRANTS: ReadonlySet<SourcedRule["layer"]> = new Set(["session", "workspace"]);

/**
 * Programs that act on something outside of the sandbox, so they cannot work inside: other machines, containers, services, processes and
 * windows of the user, and rights of other users.
 */
const LEAVING =
  /^(?:\S*\/)?(?:ssh|scp|sftp|rsync|mosh|docker|podman|nerdctl|kubectl|helm|gh|glab|aws|gcloud|az|terraform|tofu|pulumi|vercel|netlify|fly|heroku|systemctl|service|launchctl|kill|pkill|killall|sudo|su|doas|apt|apt-get|dnf|yum|pacman|apk|zypper|brew|snap|flatpak|mount|umount|crontab|at|open|xdg-open|code|baton|reboot|shutdown)(?:\s|$)/;

const GIT = /^(?:\S*\/)?git\s/;
/** Verbs of git that need the user's keys or another machine. */
const GIT_REMOTE = /^(?:\S*\/)?git\s+(?:-\S+\s+)*(?:push|pull|fetch|clone|ls-remote|remote|submodule|send-email|svn|p4|lfs)\b/;

/** Whether a command can do its work in the sandbox. Without edits git cannot write its index. */
function canStay(command: string, edits: SandboxEdits): boolean {
  if (LEAVING.test(command) || GIT_REMOTE.test(command)) return false;
  return edits === "all" || !GIT.test(command);
}

/**
 * Allows a command about which only the defaults ask, because it runs in the sandbox. A rule of the user, a mode, a gate or a hook that asks
 * still asks. So does a program in `exceeded`, which did more than its verdict named, and a command that touches something outside of the
 * workspace, because the sandbox does not show it.
 */
export function allowInSandbox(verdict: Verdict, rules: RuleSet, exceeded: readonly string[] = []): Verdict {
  if (verdict.effect !== "ask" || verdict.accesses.length === 0) return verdict;
  if (judge(rules, TOOL, [{ action: "read", resource: ANY_FILE }]).effect !== "allow") return verdict; // everything inside can be read
  const edits = sandboxEdits(rules);
  const namesHost = verdict.accesses.some((access) => isOfHost(access) && access.effect === "ask");
  const isInside = verdict.accesses.every((access) =>
    isOpen(access) || (namesHost && access.action === "command" && access.effect === "allow")
      ? canStay(access.resource, edits) && !exceeded.includes(commandPrefix(access.resource))
      : isOfHost(access) || isAllowedInside(access),
  );
  if (!isInside) return verdict;
  const accesses = verdict.accesses.map((access) =>
    isOpen(access) || isOfHost(access) ? { ...access, effect: "allow" as const, rule: SANDBOX_RULE } : access,
  );
  return {
    ...verdict,
    effect: "allow",
    rule: SANDBOX_RULE,
    accesses,
    why: `It runs in the sandbox, where it can ${REACH[edits]} (setting sandbox).`,
  };
}

const REACH: Record<SandboxEdits, string> = {
  all: "change only the workspace",
  artifacts: "change only folders of build results",
  none: "change nothing",
};

/** Whether calls of a tool that asks need no answer as long as they stay in the sandbox, because only the defaults ask. */
export const isFreeInSandbox = (tool: Tool, effect: Verdict["effect"], rule: SourcedRule | null): boolean =>
  tool.kind === "acting" && tool.usesSandbox === true && effect === "ask" && (rule === null || rule.layer === "defaults");

/** Whether only the defaults ask about a command. */
const isOpen = ({ action, effect, rule }: AccessVerdict): boolean =>
  action === "command" && effect === "ask" && (rule === null || rule.layer === "defaults");

/** Whether an access is an address in a command. In the sandbox, Baton decides about each connection. */
const isOfHost = ({ action }: AccessVerdict): boolean => action === "fetch" || action === "network";

const isAllowedInside = ({ action, resource, effect }: AccessVerdict): boolean =>
  effect === "allow" && action !== "external_directory" && !(FILE_ACTIONS.has(action) && resource.startsWith("/"));

const FILE_ACTIONS: ReadonlySet<string> = new Set(["read", "edit"]);
