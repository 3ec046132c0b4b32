import { isAbsolute, resolve } from "node:path";
import type { HookDialect } from "./hook-definition.ts";

/** A tool in Claude Code: its names, the usual one first, and the names of its arguments. */
type ForeignTool = { names: readonly string[]; input?: Readonly<Record<string, string>>; paths?: readonly string[] };

const PATH = { path: "file_path" };

/** Built-in tools as hooks of Claude Code know them. Arguments that are not listed have the same name. */
const CLAUDE: Readonly<Record<string, ForeignTool>> = {
  run_command: { names: ["Bash"], input: { timeout_ms: "timeout", background: "run_in_background" } },
  command_output: { names: ["BashOutput"] },
  write_to_command: { names: ["write_to_command", "Bash"], input: { text: "command" } },
  stop_command: { names: ["KillShell", "KillBash"] },
  read_file: { names: ["Read", "NotebookRead"], input: PATH, paths: ["path"] },
  write_file: { names: ["Write"], input: PATH, paths: ["path"] },
  edit_file: { names: ["Edit", "MultiEdit"], input: { ...PATH, old_text: "old_string", new_text: "new_string" }, paths: ["path"] },
  apply_patch: { names: ["apply_patch", "Edit", "Write", "MultiEdit"] },
  rename_symbol: { names: ["rename_symbol", "Edit", "Write", "MultiEdit"], input: PATH, paths: ["path"] },
  search_text: { names: ["Grep"] },
  glob: { names: ["Glob"] },
  list_files: { names: ["LS"] },
  fetch_url: { names: ["WebFetch"] },
  web_search: { names: ["WebSearch"] },
  update_todo_list: { names: ["TodoWrite"] },
  new_task: { names: ["Task", "Agent"], input: { mode: "subagent_type", message: "prompt" } },
  skill: { names: ["Skill"], input: { name: "skill" } },
  run_slash_command: { names: ["SlashCommand"] },
  ask_followup_question: { names: ["AskUserQuestion"] },
  enter_plan: { names: ["EnterPlanMode"] },
  exit_plan: { names: ["ExitPlanMode"] },
};

/** In Codex, patches are the only way to change a file, and its hooks accept the names of Claude Code as matchers. */
const CODEX_NAMES: Readonly<Record<string, string>> = { apply_patch: "apply_patch", edit_file: "apply_patch", write_file: "apply_patch" };

const MCP_SEPARATOR = "__";

/** Every name that a matcher can mean by a tool: Baton's, those of Claude Code and of Codex, and `mcp__server__tool`. */
export function namesOfTool(tool: string): string[] {
  const foreign = CLAUDE[tool]?.names ?? (tool.includes(MCP_SEPARATOR) ? [`mcp__${tool}`] : []);
  return [tool, ...foreign, ...(CODEX_NAMES[tool] === undefined ? [] : [CODEX_NAMES[tool]])];
}

/** A call in the names of the agent for which the hook was written. Paths are absolute there. */
export function foreignCall(tool: string, input: unknown, workspace: string, dialect: HookDialect): { name: string; input: unknown } {
  const foreign = CLAUDE[tool];
  const usual = namesOfTool(tool)[1] ?? tool;
  const name = dialect === "codex" ? (CODEX_NAMES[tool] ?? usual) : usual;
  if (!foreign || typeof input !== "object" || input === null) return { name, input };
  const entries = Object.entries(input).map(([key, value]: [string, unknown]) => {
    const whole = foreign.paths?.includes(key) && typeof value === "string" && !isAbsolute(value) ? resolve(workspace, value) : value;
    return [foreign.input?.[key] ?? key, whole];
  });
  return { name, input: Object.fromEntries(entries) as unknown };
}

/** Arguments in Baton's names. A path in the workspace becomes relative again. */
export function ownInput(tool: string, input: Record<string, unknown>, workspace: string): Record<string, unknown> {
  const foreign = CLAUDE[tool];
  if (!foreign) return input;
  const own = new Map(Object.entries(foreign.input ?? {}).map(([ours, theirs]) => [theirs, ours]));
  const entries = Object.entries(input).map(([key, value]) => {
    const name = own.get(key) ?? key;
    const isInside = foreign.paths?.includes(name) && typeof value === "string" && value.startsWith(`${workspace}/`);
    return [name, isInside ? value.slice(workspace.length + 1) : value];
  });
  return Object.fromEntries(entries) as Record<string, unknown>;
}
