import { omitUndefined } from "@baton/core/text/omit-undefined";
import { HookEvent } from "@baton/core/protocol/hook";
import { closestMatch } from "@baton/core/text/closest-match";
import { isRecord, withoutByteOrderMark } from "@baton/core/text/json";
import { findNodeAtLocation, parseTree, type Node, type ParseError } from "jsonc-parser";
import { HookEntry, MAX_SECONDS } from "../config/hook-section.ts";
import { jsonErrorMessage } from "../config/json-error-message.ts";
import { positionAt, valueOf } from "../config/load-config.ts";
import type { HookDefinition, HookFile } from "./hook-definition.ts";

/** A problem of a file with hooks. While a file has an `error`, its hooks are unknown. */
export type HookProblem = { file: string; line: number; severity: "error" | "warning"; message: string };

/** The hooks of a file, and its problems. */
export type ParsedHooks = { hooks: HookDefinition[]; problems: HookProblem[] };

const DEFAULT_SECONDS = 60;
/** Claude Code and Codex wait this long for a command. Claude Code waits less for a prompt. */
const FOREIGN_SECONDS = 600;
const FOREIGN_PROMPT_SECONDS = 30;
const OWN_KEYS = new Set(["from", "managedOnly"]);
/** Keys of other agents that mean nothing here. */
const FOREIGN_KEYS = ["commandWindows", "command_windows", "shell", "model", "asyncRewake", "timeoutSec"];
const OWN_HOOK_KEYS: ReadonlySet<string> = new Set(HookEntry.options.flatMap(({ shape }) => Object.keys(shape)));
const KNOWN_KEYS: ReadonlySet<string> = new Set([...OWN_HOOK_KEYS, ...FOREIGN_KEYS]);

/** Reads the hooks in a text: the section `hooks` of a config or of another agent's file. */
export function parseHooks(content: string, file: HookFile, isForeign: boolean): ParsedHooks {
  const text = withoutByteOrderMark(content);
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  const lineOf = (node: Node | undefined): number => positionAt(text, node?.offset ?? 0).line;
  const problems: HookProblem[] = [];
  const report = (node: Node | undefined, message: string, severity: HookProblem["severity"] = "error") =>
    problems.push({ file: file.label, line: lineOf(node), severity, message });
  const [first] = errors;
  if (first || root?.type !== "object") {
    const line = positionAt(text, first?.offset ?? 0).line;
    const message = `${first ? jsonErrorMessage(first) : "The file must be one object"}, so its hooks cannot be read.`;
    return { hooks: [], problems: [{ file: file.label, line, severity: "error", message }] };
  }
  const section = findNodeAtLocation(root, ["hooks"]);
  if (!section) return { hooks: [], problems };
  if (section.type !== "object") {
    report(section, "hooks must be an object with an event for each key.");
    return { hooks: [], problems };
  }
  const off = findNodeAtLocation(root, ["disableAllHooks"]);
  if (isForeign && off?.value === true) {
    report(off, "The file turns its hooks off with disableAllHooks, so they are left out.", "warning");
    return { hooks: [], problems };
  }
  const hooks: HookDefinition[] = [];
  for (const { children } of section.children ?? []) {
    const [key, value] = children ?? [];
    const name = String(key?.value);
    if (OWN_KEYS.has(name)) continue;
    const event = HookEvent.safeParse(name);
    if (!event.success) {
      report(key, CLAUDE_ONLY.has(name) ? claudeOnlyEvent(name) : unknownEvent(name), isForeign ? "warning" : "error");
      continue;
    }
    if (value?.type === "array") for (const group of value.children ?? []) readGroup(group, event.data);
    else report(value, `${name} must be a list of { "matcher": …, "hooks": […] }.`);
  }
  return { hooks, problems };

  function readGroup(group: Node, event: HookEvent): void {
    const matcher = findNodeAtLocation(group, ["matcher"]);
    const list = findNodeAtLocation(group, ["hooks"]);
    if (list?.type !== "array") return void report(group, `A group of ${event} needs a list "hooks".`);
    if (matcher && typeof matcher.value !== "string") return void report(matcher, "matcher must be a text.");
    for (const node of list.children ?? []) readHook(node, event, matcher?.value as string | undefined);
  }

  function readHook(node: Node, event: HookEvent, matcher: string | undefined): void {
    const value = valueOf(node);
    const type = isRecord(value) ? value["type"] : undefined;
    if (isForeign && type !== "command" && type !== "http") {
      const problem = type === undefined ? `This hook has no "type"` : `Baton does not run hooks of the type ${JSON.stringify(type)}`;
      return void report(node, `${problem}, so it is left out.`, "warning");
    }
    const unknown = isForeign && isRecord(value) ? Object.keys(value).filter((key) => !KNOWN_KEYS.has(key)) : [];
    if (unknown.length > 0) report(node, `Baton does not know ${unknown.join(", ")} of this hook, so it has no effect.`, "warning");
    const parsed = HookEntry.safeParse(isForeign && isRecord(value) ? asOwn(value) : value);
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      return void report(
        node,
        `A hook of ${event} is invalid${issue ? ` at ${issue.path.join(".") || "its top"}: ${issue.message}` : ""}.`,
      );
    }
    hooks.push(toDefinition(parsed.data, event, matcher, lineOf(node)));
  }

  function toDefinition(settings: HookEntry, event: HookEvent, matcher: string | undefined, line: number): HookDefinition {
    const seconds = settings.timeout ?? (isForeign ? foreignSeconds(event, file) : DEFAULT_SECONDS);
    return {
      event,
      matcher,
      condition: settings.if,
      launch:
        settings.type === "command"
          ? { type: "command", command: settings.command, ...omitUndefined({ args: settings.args }) }
          : { type: "http", url: settings.url, headers: settings.headers ?? {}, allowedEnvVars: settings.allowedEnvVars ?? [] },
      timeoutMs: seconds * 1_000,
      async: settings.async ?? false,
      once: settings.once ?? false,
      onFailure: settings.onFailure ?? "ask",
      failsBy: settings.onFailure !== undefined,
      file,
      line,
    };
  }
}

/** Events of Claude Code that Baton does not have. */
const CLAUDE_ONLY: ReadonlySet<string> = new Set([
  "ConfigChange",
  "CwdChanged",
  "Elicitation",
  "ElicitationResult",
  "FileChanged",
  "InstructionsLoaded",
  "PermissionDenied",
  "PostToolBatch",
  "Setup",
  "StopFailure",
  "SubagentStart",
  "TaskCompleted",
  "TaskCreated",
  "TeammateIdle",
  "UserPromptExpansion",
  "WorktreeCreate",
  "WorktreeRemove",
]);

const claudeOnlyEvent = (name: string): string => `Baton has no event ${name} of Claude Code, so its hooks never run.`;

const foreignSeconds = (event: HookEvent, { dialect }: HookFile): number =>
  event === "UserPromptSubmit" && dialect === "claude" ? FOREIGN_PROMPT_SECONDS : FOREIGN_SECONDS;

/**
 * A hook of another agent without the keys that Baton does not have. Other agents ignore keys that they do not know, too. Some files write
 * milliseconds. Other agents read any number as seconds, so the longest time counts.
 */
function asOwn(value: Record<string, unknown>): Record<string, unknown> {
  const known = Object.fromEntries(Object.entries(value).filter(([key]) => OWN_HOOK_KEYS.has(key)));
  const { timeout } = known;
  return typeof timeout === "number" && timeout > MAX_SECONDS ? { ...known, timeout: MAX_SECONDS } : known;
}

function unknownEvent(name: string): string {
  const meant = closestMatch(name, HookEvent.options);
  return `Baton has no event ${JSON.stringify(name)} for hooks.${meant ? ` Did you mean ${meant}?` : ` The events are: ${HookEvent.options.join(", ")}.`}`;
}
