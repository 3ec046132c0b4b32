import type { Effect, Rule } from "@baton/core/protocol/rule";
import { parse } from "jsonc-parser";
import * as z from "zod";

/** Rules of another agent in our words; `notes` say what becomes stricter here, and which rules say nothing here. */
export type Imported = { format: "opencode" | "claude"; rules: Rule[]; notes: string[] };

const Said = z.enum(["allow", "ask", "deny"]);
const OpenCode = z.object({ permission: z.union([Said, z.record(z.string(), z.union([Said, z.record(z.string(), Said)]))]) });
const List = z.array(z.string()).default([]);
const Claude = z.object({ permissions: z.object({ allow: List, ask: List, deny: List }) });

/** Reads the rules in the text of an `opencode.json`, `kilo.json` or Claude Code `settings.json`; undefined where there are none. */
export function importRules(text: string): Imported | undefined {
  const parsed: unknown = parse(text, [], { allowTrailingComma: true });
  const claude = Claude.safeParse(parsed);
  if (claude.success) return finished("claude", fromClaude(claude.data.permissions));
  const opencode = OpenCode.safeParse(parsed);
  return opencode.success ? finished("opencode", fromOpenCode(opencode.data.permission)) : undefined;
}

type Read = { rules: Rule[]; dead: string[] };

function finished(format: Imported["format"], { rules, dead }: Read): Imported {
  const stricter = [...new Set(rules.flatMap(stricterHere))];
  return { format, rules, notes: [...stricter, ...dead.map((rule) => `Says nothing here, so it was left out: ${rule}.`)] };
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
  codesearch: "codebase_search",
  task: "new_task",
  skill: "skill",
  question: "question",
  external_directory: "external_directory",
  doom_loop: "loop_guard",
  plan_enter: "enter_plan",
  plan_exit: "exit_plan",
  todowrite: "update_todo_list",
};

function fromOpenCode(permission: z.infer<typeof OpenCode>["permission"]): Read {
  if (typeof permission === "string") return { rules: [{ action: "*", resource: "*", effect: permission }], dead: [] };
  const read: Read = { rules: [], dead: [] };
  for (const [key, said] of Object.entries(permission)) {
    const action = OPENCODE[key] ?? (key.includes("_") ? key.replace("_", "__") : undefined); // tools of servers are `server_tool` there
    const entries = typeof said === "string" ? [["*", said] as const] : Object.entries(said);
    if (action === undefined) read.dead.push(key);
    else read.rules.push(...entries.map(([resource, effect]): Rule => ({ action, resource, effect })));
  }
  return read;
}

/** There a deny beats an ask, and an ask an allow; here the last rule wins, so the denies come last. */
function fromClaude({ allow, ask, deny }: z.infer<typeof Claude>["permissions"]): Read {
  const read: Read = { rules: [], dead: [] };
  const take = (entries: readonly string[], effect: Effect) => {
    for (const entry of entries) {
      const accesses = accessesOf(entry);
      if (accesses.length === 0) read.dead.push(entry);
      read.rules.push(...accesses.map(([action, resource]): Rule => ({ action, resource, effect })));
    }
  };
  take(allow, "allow");
  take(ask, "ask");
  take(deny, "deny");
  return read;
}

/** `Bash(npm run test:*)`, `Read(./.env)`, `WebFetch(domain:example.com)`, `mcp__server__tool`, or a bare name. */
function accessesOf(entry: string): [action: string, resource: string][] {
  const server = /^mcp__(.+?)(?:__(.+))?$/.exec(entry);
  if (server) return [["mcp", `${server[1]}__${server[2] ?? "*"}`]];
  const [, name = "", within] = /^([A-Za-z]+)(?:\((.*)\))?$/s.exec(entry) ?? [];
  const said = within ?? "*";
  switch (name) {
    case "Bash":
      return [["command", commandOf(said)]];
    case "Read":
      return [["read", pathOf(said)]];
    case "Grep":
      return [["search_text", pathOf(said)]];
    case "Glob":
    case "LS":
      return [["list_files", pathOf(said)]];
    case "Edit":
    case "Write":
    case "MultiEdit":
    case "NotebookEdit":
      return [["edit", pathOf(said)]];
    case "WebFetch": {
      const host = /^domain:(.+)$/.exec(said)?.[1];
      return host === undefined
        ? [["fetch", "*"]]
        : [
            ["fetch", `https://${host}/*`],
            ["fetch", `http://${host}/*`],
          ];
    }
    case "WebSearch":
      return [["web_search", "*"]];
    case "Task":
    case "Agent":
      return [["new_task", said]];
    case "Skill":
      return [["skill", said]];
    case "EnterPlanMode":
      return [["enter_plan", "*"]];
    case "ExitPlanMode":
      return [["exit_plan", "*"]];
    default:
      return [];
  }
}

/** `git diff:*` covers whole words there too. */
const commandOf = (said: string): string => (said.endsWith(":*") ? `${said.slice(0, -2)} *` : said);

/** `//x` is absolute there, `./x` and `/x` are below the project; a star does not cross folders, which ours does. */
const pathOf = (said: string): string =>
  (said.startsWith("//") ? said.slice(1) : said.replace(/^\.?\//, "")).replaceAll("**/", "*").replaceAll("**", "*") || "*";

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
