import type { Rule } from "@baton/core/protocol/rule";
import { ruleText } from "@baton/core/text/rule-text";
import { parse, type ParseError } from "jsonc-parser";
import * as z from "zod";
import { ClaudeSettings, importClaudeRules, ignoredRuleNote } from "./claude-rules.ts";
import path from "node:path";

/**
 * Rules of another agent in our words; `notes` say what becomes stricter here, which rules say nothing here, and what of the
 * file is no rule.
 */
export type ImportedRules = { format: "opencode" | "claude"; rules: Rule[]; notes: string[] };

/** Rules as they were found, and what has to be told of them. */
export type RulesWithNotes = { rules: Rule[]; notes: string[] };

/** `file`: its whole path, which says whose it is. `everywhere`: what it allows counts in every project, whosever it is. */
export type ImportOptions = { text: string; file: string; everywhere: boolean };

const Said = z.enum(["allow", "ask", "deny"]);
const OpenCode = z.object({ permission: z.union([Said, z.record(z.string(), z.union([Said, z.record(z.string(), Said)]))]) });

/**
 * Reads the rules in an `opencode.json`, `kilo.json` or Claude Code `settings.json`; undefined where there are none. What the file
 * of one project allows is left out: it would be allowed in all.
 */
export function importRules({ text, file, everywhere }: ImportOptions, homes: AgentHomes): ImportedRules | undefined {
  const errors: ParseError[] = [];
  const parsed: unknown = parse(text, errors, { allowTrailingComma: true });
  const isOwn = isUserFile(file, homes);
  const faults = errors.length > 0 ? ["The file has faults in its JSON: look whether all its rules are here."] : [];
  const finished = (format: ImportedRules["format"], { rules, notes }: RulesWithNotes): ImportedRules => {
    const { kept, left } = isOwn || everywhere ? { kept: rules, left: [] } : withoutAllows(rules);
    return {
      format,
      rules: kept,
      notes: [...new Set([...faults, ...kept.flatMap(stricterHere), ...notes, ...left, ...untaken(parsed, format)])],
    };
  };
  const claude = ClaudeSettings.safeParse(parsed);
  if (claude.success) return finished("claude", importClaudeRules(claude.data.permissions, homes.home));
  const opencode = OpenCode.safeParse(parsed);
  return opencode.success ? finished("opencode", fromOpenCode(opencode.data.permission)) : undefined;
}

function withoutAllows(rules: readonly Rule[]): { kept: Rule[]; left: string[] } {
  const allows = rules.filter(({ effect }) => effect === "allow");
  return {
    kept: rules.filter(({ effect }) => effect !== "allow"),
    left:
      allows.length === 0
        ? []
        : [
            `What the file of one project allows would be allowed in all of them, so it was left out: ${allows.map(ruleText).join(", ")}. Answer with "workspace" when it is asked there, or import with --everywhere.`,
          ],
  };
}

const RULES: Readonly<Record<ImportedRules["format"], readonly string[]>> = {
  opencode: ["$schema", "permission"],
  claude: ["$schema", "permissions", "permissions.allow", "permissions.ask", "permissions.deny"],
};

/** The keys of the file that are no rules. */
function untaken(parsed: unknown, format: ImportedRules["format"]): string[] {
  const keys = keysOf(parsed).flatMap((key) => [
    key,
    ...(key === "permissions" ? keysOf(parsed, key).map((below) => `${key}.${below}`) : []),
  ]);
  const others = keys.filter((key) => !RULES[format].includes(key));
  return others.length === 0 ? [] : [`Only rules are taken over, so these were left out: ${others.join(", ")}.`];
}

const Keys = z.record(z.string(), z.unknown());

function keysOf(parsed: unknown, key?: string): string[] {
  const { data = {} } = Keys.safeParse(parsed);
  return Object.keys(key === undefined ? data : (Keys.safeParse(data[key]).data ?? {}));
}

/** Which of our actions their keys are; undefined where we have nothing of the kind. */
const OPENCODE: Readonly<Record<string, string>> = {
  "*": "*",
  read: "read",
  list: "list_files",
  grep: "search_text",
  glob: "glob",
  edit: "edit",
  write: "edit",
  patch: "edit",
  bash: "command",
  webfetch: "fetch",
  websearch: "web_search",
  task: "new_task",
  skill: "skill",
  question: "question",
  external_directory: "external_directory",
  doom_loop: "loop_guard",
  plan_enter: "enter_plan",
  plan_exit: "exit_plan",
  todowrite: "update_todo_list",
};

function fromOpenCode(permission: z.infer<typeof OpenCode>["permission"]): RulesWithNotes {
  if (typeof permission === "string") return { rules: [{ action: "*", resource: "*", effect: permission }], notes: [] };
  const read: RulesWithNotes = { rules: [], notes: [] };
  for (const [key, said] of Object.entries(permission)) {
    const action = OPENCODE[key] ?? (key.includes("_") ? key.replace("_", "__") : undefined); // tools of servers are `server_tool` there
    const entries = typeof said === "string" ? [["*", said] as const] : Object.entries(said);
    if (action === undefined) read.notes.push(ignoredRuleNote(key));
    else read.rules.push(...entries.map(([resource, effect]): Rule => ({ action, resource, effect })));
  }
  return read;
}

const INTERPRETERS = new Set("bash sh zsh dash python python3 node deno bun perl ruby php eval sudo env xargs".split(" "));

function stricterHere({ action, resource, effect }: Rule): string[] {
  if (effect !== "allow" || typeof resource !== "string") return [];
  if (action === "*" || (action === "command" && resource === "*"))
    return ["Everything is allowed: dangerous commands, protected names and code given as text still ask."];
  if (action === "edit" && resource === "*")
    return ["All edits are allowed: protected names such as .git, .vscode or .npmrc still ask or are refused."];
  const program = resource.split(" ")[0] ?? "";
  if (action === "command" && INTERPRETERS.has(program))
    return [`command "${resource}" runs whatever text it is given: code given as text still asks.`];
  if (action === "command" && /[;&|<>$\x60]/.test(resource))
    return [`command "${resource}" is not one plain command: each of its parts is judged by itself.`];
  return [];
}

/** The person's home, and the folder in which programs keep their settings. */
type AgentHomes = { home: string; settings: string };

/** Whether a file of settings is the person's own, for all their work. Any other is a project's. */
const isUserFile = (file: string, { home, settings }: AgentHomes): boolean =>
  [
    home,
    ...[".claude", ".opencode", ".kilo"].map((name) => path.join(home, name)),
    ...["opencode", "kilo"].map((name) => path.join(settings, name)),
  ].includes(path.dirname(file));
