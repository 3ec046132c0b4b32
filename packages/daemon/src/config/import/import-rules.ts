import type { Rule } from "@baton/core/protocol/rule";
import { actionsForAgentTool } from "@baton/core/tool/tool-table";
import { ruleText } from "@baton/core/text/rule-text";
import { parse, type ParseError } from "jsonc-parser";
import * as z from "zod";
import { ClaudeSettings, importClaudeRules, ignoredRuleNote } from "./claude-rules.ts";
import path from "node:path";

/**
 * The rules of another agent as Baton's rules. `notes`: the rules that become stricter or mean nothing in Baton, and the parts of the file
 * that are not rules.
 */
export type ImportedRules = { format: "opencode" | "claude"; rules: Rule[]; notes: string[] };

/** Imported rules, and notes about them for the user. */
type RulesWithNotes = { rules: Rule[]; notes: string[] };

/** `file`: the absolute path, which shows whether the file belongs to a project. `everywhere`: keep what a project's file allows. */
export type ImportOptions = { text: string; file: string; everywhere: boolean };

const EffectName = z.enum(["allow", "ask", "deny"]);
const OpenCode = z.object({
  permission: z.union([EffectName, z.record(z.string(), z.union([EffectName, z.record(z.string(), EffectName)]))]),
});

/**
 * Reads the rules in an `opencode.json`, `kilo.json` or Claude Code `settings.json`. Undefined if there are none. Drops what a project's
 * file allows, because it would be allowed in all projects.
 */
export function importRules({ text, file, everywhere }: ImportOptions, homes: AgentHomes): ImportedRules | undefined {
  const errors: ParseError[] = [];
  const parsed: unknown = parse(text, errors, { allowTrailingComma: true });
  const isOwn = isUserFile(file, homes);
  const faults = errors.length > 0 ? ["The file has syntax errors. Check whether all its rules were imported."] : [];
  const finished = (format: ImportedRules["format"], { rules, notes }: RulesWithNotes): ImportedRules => {
    const { kept, left } = isOwn || everywhere ? { kept: rules, left: [] } : withoutAllows(rules);
    return {
      format,
      rules: kept,
      notes: [...new Set([...faults, ...kept.flatMap(stricterInBaton), ...notes, ...left, ...ignoredKeys(parsed, format)])],
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
            `A file of one project would allow this in all projects, so it was left out: ${allows.map(ruleText).join(", ")}. Answer with "workspace" when Baton asks there, or import with --everywhere.`,
          ],
  };
}

const RULES: Readonly<Record<ImportedRules["format"], readonly string[]>> = {
  opencode: ["$schema", "permission"],
  claude: ["$schema", "permissions", "permissions.allow", "permissions.ask", "permissions.deny"],
};

/** A note about the keys of the file that are not rules. */
function ignoredKeys(parsed: unknown, format: ImportedRules["format"]): string[] {
  const keys = keysOf(parsed).flatMap((key) => [
    key,
    ...(key === "permissions" ? keysOf(parsed, key).map((below) => `${key}.${below}`) : []),
  ]);
  const others = keys.filter((key) => !RULES[format].includes(key));
  const inPlace = others.filter((key) => READ_IN_PLACE[format].includes(key));
  const left = others.filter((key) => !inPlace.includes(key));
  return [
    ...(left.length === 0 ? [] : [`Baton only imports rules, so these keys were left out: ${left.join(", ")}.`]),
    ...(inPlace.length === 0 ? [] : [`These keys need no import, because Baton reads them from the file itself: ${inPlace.join(", ")}.`]),
    ...left.flatMap((key) => INSTEAD[format][key] ?? []),
  ];
}

/** The keys that Baton reads where they are. */
const READ_IN_PLACE: Readonly<Record<ImportedRules["format"], readonly string[]>> = {
  opencode: ["agent", "mode", "instructions"],
  claude: [],
};

/** The way to use a key that was left out. */
const INSTEAD: Readonly<Record<ImportedRules["format"], Readonly<Record<string, string>>>> = {
  opencode: { mcp: "`baton mcp import FILE --write` adds the servers of mcp." },
  claude: {
    hooks: 'Hooks run from the file itself if your config has "hooks": { "from": ["claude"] }.',
    "permissions.additionalDirectories": "`baton --add-dir FOLDER` lets a session work in another folder.",
  },
};

const Keys = z.record(z.string(), z.unknown());

function keysOf(parsed: unknown, key?: string): string[] {
  const { data = {} } = Keys.safeParse(parsed);
  return Object.keys(key === undefined ? data : (Keys.safeParse(data[key]).data ?? {}));
}

/** The action for a key of opencode. Undefined if Baton has none. opencode names tools of MCP servers `server_tool`. */
function actionOf(key: string): string | undefined {
  if (key === "*") return key;
  return actionsForAgentTool("opencode", key)[0] ?? (key.includes("_") ? key.replace("_", "__") : undefined);
}

function fromOpenCode(permission: z.infer<typeof OpenCode>["permission"]): RulesWithNotes {
  if (typeof permission === "string") return { rules: [{ action: "*", resource: "*", effect: permission }], notes: [] };
  const read: RulesWithNotes = { rules: [], notes: [] };
  for (const [key, value] of Object.entries(permission)) {
    const action = actionOf(key);
    const entries = typeof value === "string" ? [["*", value] as const] : Object.entries(value);
    if (action === undefined) read.notes.push(ignoredRuleNote(key));
    else read.rules.push(...entries.map(([resource, effect]): Rule => ({ action, resource, effect })));
  }
  return read;
}

const INTERPRETERS = new Set("bash sh zsh dash python python3 node deno bun perl ruby php eval sudo env xargs".split(" "));

function stricterInBaton({ action, resource, effect }: Rule): string[] {
  if (effect !== "allow" || typeof resource !== "string") return [];
  if (action === "*" || (action === "command" && resource === "*"))
    return ["Everything is allowed, but dangerous commands, protected files and code passed as text still ask."];
  if (action === "edit" && resource === "*")
    return ["All edits are allowed, but protected files such as .git, .vscode or .npmrc still ask or are denied."];
  const program = resource.split(" ")[0] ?? "";
  if (action === "command" && INTERPRETERS.has(program))
    return [`The command "${resource}" runs any text that it is given, so code passed as text still asks.`];
  if (action === "command" && /[;&|<>$\x60]/.test(resource))
    return [`The command "${resource}" consists of several commands. Baton judges each of them by itself.`];
  return [];
}

/** The user's home, and the folder in which programs keep their settings. */
type AgentHomes = { home: string; settings: string };

/** True for a settings file of the user. Any other file belongs to a project. */
const isUserFile = (file: string, { home, settings }: AgentHomes): boolean =>
  [
    home,
    ...[".claude", ".opencode", ".kilo"].map((name) => path.join(home, name)),
    ...["opencode", "kilo"].map((name) => path.join(settings, name)),
  ].includes(path.dirname(file));
