import type { GroupName } from "../protocol/mode.ts";
import type { Effect } from "../protocol/rule.ts";

/** The kinds of the Agent Client Protocol. Editors choose an icon by them. */
export type ToolKind = "read" | "edit" | "delete" | "move" | "search" | "execute" | "think" | "fetch" | "switch_mode" | "other";

/** An action: rules name it, and every access of a tool has one. */
export type ActionInfo = {
  name: string;
  /** The group of tools whose calls have this action. Undefined: every mode has it. */
  group?: GroupName;
  /** Calls that only have such actions change nothing, so they run side by side. */
  readOnly?: true;
  /** The effect where no rule says anything. Undefined: Baton asks. */
  byDefault?: Effect;
  /** The narrowest grant that Baton proposes: the host of an address, or a program with its subcommand. Undefined: the resource itself. */
  proposes?: "host" | "program";
  /** The category of `autoApprove` in mode files of Roo Code that covers this action. */
  autoApprove?: string;
  /** The names of the action in permission rules of other agents. */
  opencode?: readonly string[];
  claude?: readonly string[];
  /** How a form asks for a resource of this action. Undefined: the form does not offer the action. */
  form?: { label: string; example: string };
};

/** All actions that rules may name. The name of a tool is an action as well. */
const actionRows = [
  {
    name: "command",
    group: "command",
    proposes: "program",
    autoApprove: "command",
    opencode: ["bash"],
    claude: ["Bash"],
    form: { label: "Command", example: "npm test && git push" },
  },
  // Typing into a command that runs. The resource is the command.
  { name: "input", group: "command", form: { label: "Input for a command that runs", example: "npm init" } },
  {
    name: "read",
    group: "read",
    readOnly: true,
    byDefault: "allow",
    autoApprove: "read",
    opencode: ["read"],
    claude: ["Read"],
    form: { label: "File to read", example: "src/main.ts" },
  },
  {
    name: "edit",
    group: "edit",
    autoApprove: "edit",
    opencode: ["edit", "write", "patch"],
    claude: ["Edit", "Write", "MultiEdit", "NotebookEdit"],
    form: { label: "File to change", example: "src/main.ts" },
  },
  { name: "browser", group: "browser", autoApprove: "browser" },
  {
    name: "fetch",
    group: "browser",
    proposes: "host",
    autoApprove: "browser",
    opencode: ["webfetch"],
    claude: ["WebFetch"],
    form: { label: "Address", example: "https://example.com/" },
  },
  { name: "network", form: { label: "Host for commands in the sandbox", example: "registry.npmjs.org" } },
  { name: "mcp", group: "mcp", autoApprove: "mcp", form: { label: "Tool of a server, as server__tool", example: "files__read_text" } },
  { name: "tool", form: { label: "Tool of your own, by its name", example: "weather" } }, // what such a tool accesses is judged as well
  { name: "external_directory", readOnly: true, byDefault: "ask", opencode: ["external_directory"] },
  { name: "question", readOnly: true, byDefault: "allow", autoApprove: "question", opencode: ["question"] },
  { name: "session", readOnly: true, byDefault: "allow" },
  { name: "switch_mode", group: "coordinator" },
  { name: "coordinate_mode", group: "coordinator", byDefault: "allow" }, // it only returns to a mode that the session was in
  { name: "enter_plan", group: "plan", opencode: ["plan_enter"], claude: ["EnterPlanMode"] },
  { name: "exit_plan", group: "plan", opencode: ["plan_exit"], claude: ["ExitPlanMode"] },
  { name: "new_task", group: "orchestrate", readOnly: true, autoApprove: "subtask", opencode: ["task"], claude: ["Task", "Agent"] },
  { name: "configure", group: "configuration" },
  { name: "loop_guard", readOnly: true, opencode: ["doom_loop"] },
] as const satisfies readonly ActionInfo[];

export const actionTable: readonly ActionInfo[] = actionRows;

/** A built-in tool. Its description, input and code are in its file in the daemon. */
export type ToolInfo = {
  name: string;
  /** Undefined: every mode has the tool. */
  group?: GroupName;
  /** The action of the tool's accesses. `skill` and `run_slash_command` are their own action. */
  action: string;
  kind?: ToolKind;
  /** `safe`: the tool changes nothing, so Baton repeats a call that a crash interrupted. */
  replay?: "safe";
  /** The tool is `safe` and answers at once, so one commit holds its start and its result. */
  quick?: true;
  /** The tool finds files by their folder. A mode that limits files still lets it search everywhere; each result is judged by itself. */
  searches?: true;
  /** The effect for this tool where no rule says anything. Undefined: the action decides. */
  byDefault?: Effect;
  /** Calls that only have this tool's name as their action change nothing. */
  readOnly?: true;
  /** Names for the tool in older versions, Roo Code and Cline. Models may call the tool by them. */
  aliases?: readonly string[];
  /** Names in the tool lists of agents for Claude Code, opencode and VS Code, in lower case without `_` and `-`. */
  listedAs?: readonly string[];
  /** Names by which models call the tool in other agents, in lower case without separators. Each name is one tool's. */
  calledAs?: readonly string[];
  /** Names in the permission rules of other agents, where a rule can name this tool alone. */
  opencode?: readonly string[];
  claude?: readonly string[];
};

const toolRows = [
  {
    name: "read_file",
    group: "read",
    action: "read",
    kind: "read",
    replay: "safe",
    quick: true,
    listedAs: ["read", "notebookread", "readfile"],
    calledAs: ["read", "view", "cat", "viewfile", "openfile", "notebookread", "viewimage"],
  },
  {
    name: "list_files",
    group: "read",
    action: "read",
    kind: "read",
    replay: "safe",
    searches: true,
    listedAs: ["ls", "list", "listdirectory", "glob", "search"],
    calledAs: ["ls", "list", "listdir", "listdirectory"],
    opencode: ["list"],
    claude: ["Glob", "LS"],
  },
  {
    name: "search_text",
    group: "read",
    action: "read",
    kind: "search",
    replay: "safe",
    searches: true,
    aliases: ["search_files"],
    listedAs: ["grep", "search", "usages", "textsearch"],
    calledAs: ["grep", "grepsearch", "ripgrep", "searchfiles", "searchfilecontent", "textsearch"],
    opencode: ["grep"],
    claude: ["Grep"],
  },
  {
    name: "glob",
    group: "read",
    action: "read",
    kind: "search",
    replay: "safe",
    searches: true,
    listedAs: ["glob", "search", "findtestfiles", "filesearch"],
    calledAs: ["findfiles", "filesearch", "globsearch"],
    opencode: ["glob"],
    claude: ["Glob", "LS"],
  },
  {
    name: "codebase_search",
    group: "read",
    action: "read",
    kind: "search",
    replay: "safe",
    searches: true,
    listedAs: ["codebasesearch", "semanticsearch"],
    calledAs: ["semanticsearch", "searchcodebase", "codesearch"],
  },
  { name: "diagnostics", group: "read", action: "read", kind: "read", replay: "safe", listedAs: ["problems", "diagnostics"] },
  { name: "find_symbol", group: "read", action: "read", kind: "search", replay: "safe", listedAs: ["lsp", "usages"] },
  {
    name: "write_file",
    group: "edit",
    action: "edit",
    kind: "edit",
    aliases: ["write_to_file"],
    listedAs: ["write", "createfile"],
    calledAs: ["write", "createfile", "savefile"],
  },
  {
    name: "edit_file",
    group: "edit",
    action: "edit",
    kind: "edit",
    aliases: ["apply_diff", "search_and_replace", "search_replace", "insert_content"],
    listedAs: ["edit", "multiedit", "notebookedit"],
    calledAs: ["edit", "multiedit", "replace", "replaceinfile", "replacestringinfile", "strreplace", "multieditfile"],
  },
  {
    name: "apply_patch",
    group: "edit",
    action: "edit",
    kind: "edit",
    listedAs: ["edit", "multiedit", "patch"],
    calledAs: ["patch", "updatepatch"],
  },
  { name: "rename_symbol", group: "edit", action: "edit", kind: "edit", listedAs: ["rename"], calledAs: ["lsprename"] },
  { name: "move_file", group: "edit", action: "edit", kind: "move" },
  { name: "delete_file", group: "edit", action: "edit", kind: "delete", calledAs: ["removefile"] },
  {
    name: "fetch_url",
    group: "browser",
    action: "fetch",
    kind: "fetch",
    replay: "safe",
    aliases: ["web_fetch"],
    listedAs: ["webfetch", "fetch"],
    calledAs: ["webfetch", "fetch", "fetchwebpage"],
  },
  {
    name: "web_search",
    group: "browser",
    action: "fetch",
    kind: "search",
    replay: "safe",
    listedAs: ["websearch"],
    calledAs: ["websearch", "searchweb", "googlewebsearch"],
    opencode: ["websearch"],
    claude: ["WebSearch"],
  },
  {
    name: "run_command",
    group: "command",
    action: "command",
    kind: "execute",
    aliases: ["execute_command"],
    calledAs: [
      "bash",
      "shell",
      "terminal",
      "exec",
      "execcommand",
      "executebash",
      "localshell",
      "containerexec",
      "runshellcommand",
      "runinterminal",
      "runterminalcmd",
      "shellcommand",
    ],
  },
  {
    name: "command_output",
    group: "command",
    action: "command",
    kind: "execute",
    aliases: ["read_command_output"],
    listedAs: ["bashoutput"],
    calledAs: ["bashoutput"],
  },
  { name: "write_to_command", group: "command", action: "input", kind: "execute", calledAs: ["writestdin", "sendinput", "bashinput"] },
  {
    name: "stop_command",
    group: "command",
    action: "command",
    kind: "execute",
    listedAs: ["killshell"],
    calledAs: ["killshell", "killbash"],
  },
  { name: "read_resource", group: "mcp", action: "mcp", replay: "safe", aliases: ["access_mcp_resource"] },
  { name: "switch_mode", group: "coordinator", action: "switch_mode", kind: "switch_mode" },
  { name: "coordinate_mode", group: "coordinator", action: "coordinate_mode", kind: "switch_mode" },
  { name: "new_task", group: "orchestrate", action: "new_task", calledAs: ["task", "agent"] },
  { name: "enter_plan", group: "plan", action: "enter_plan", kind: "switch_mode" },
  { name: "exit_plan", group: "plan", action: "exit_plan", kind: "switch_mode" },
  { name: "enter-configuration-mode", group: "configuration", action: "configure" },
  { name: "exit-configuration-mode", group: "configuration", action: "configure", byDefault: "allow" },
  { name: "list-available-tools", group: "configuration", action: "configure", replay: "safe", byDefault: "allow" },
  { name: "build-toolset", group: "configuration", action: "configure" },
  { name: "list-saved-toolsets", group: "configuration", action: "configure", replay: "safe", byDefault: "allow" },
  { name: "equip-toolset", group: "configuration", action: "configure" },
  { name: "unequip-toolset", group: "configuration", action: "configure" },
  { name: "delete-toolset", group: "configuration", action: "configure" },
  { name: "get-active-toolset", group: "configuration", action: "configure", replay: "safe", byDefault: "allow" },
  { name: "add-tool-annotation", group: "configuration", action: "configure" },
  { name: "ask_followup_question", action: "question", calledAs: ["askuserquestion", "askuser"] },
  { name: "attempt_completion", action: "session", replay: "safe", quick: true },
  {
    name: "update_todo_list",
    action: "session",
    kind: "think",
    replay: "safe",
    quick: true,
    opencode: ["todowrite"],
    calledAs: ["todowrite", "writetodos", "updateplan"],
  },
  {
    name: "skill",
    action: "skill",
    replay: "safe",
    quick: true,
    readOnly: true,
    byDefault: "allow",
    opencode: ["skill"],
    claude: ["Skill"],
  },
  { name: "run_slash_command", action: "run_slash_command", replay: "safe", readOnly: true, byDefault: "allow" },
] as const satisfies readonly ToolInfo[];

export type ToolName = (typeof toolRows)[number]["name"];

/** Every built-in tool. A new tool is a row here, a file in `daemon/src/tool` and a line in `builtin-tools.ts`. */
export const toolTable: readonly ToolInfo[] = toolRows;

const toolByName: ReadonlyMap<string, ToolInfo> = new Map(toolTable.map((tool) => [tool.name, tool]));

/** The fields that a tool's definition in the daemon has in common with its row. */
export function toolFields(name: ToolName) {
  const { group, action, replay, quick } = toolByName.get(name) as ToolInfo; // ToolName is made from the table
  return { name, action, ...(group && { group }), ...(replay && { replay }), ...(quick && { quick }) };
}

export const toolKind = (name: string): ToolKind => toolByName.get(name)?.kind ?? "other";

const nameByAlias: ReadonlyMap<string, string> = new Map(
  toolTable.flatMap(({ name, aliases = [] }) => aliases.map((alias) => [alias, name] as const)),
);

/** The tool's own name, for a name that may be an alias. Other names are returned as they are. */
export const canonicalToolName = (name: string): string => nameByAlias.get(name) ?? name;

const nameByCall: ReadonlyMap<string, string> = new Map(
  toolTable.flatMap(({ name, calledAs = [] }) => calledAs.map((other) => [other, name] as const)),
);

/** The tool that models mean by a name from another agent, such as `Bash` or `container.exec`. Undefined if there is none. */
export const toolCalledAs = (name: string): string | undefined => nameByCall.get(name.toLowerCase().replaceAll(/[^a-z0-9]/g, ""));

/** The names of all actions that change nothing, `skill` and `run_slash_command` included. */
export const readOnlyActions: ReadonlySet<string> = new Set(
  [...actionTable, ...toolTable].filter(({ readOnly }) => readOnly).map(({ name }) => name),
);

/**
 * The actions that a permission rule of another agent is about. opencode's `write` gives `["edit"]`; Claude Code's `Glob` gives
 * `["list_files", "glob"]`. Empty where Baton has no such action.
 */
export const actionsForAgentTool = (agent: "opencode" | "claude", name: string): string[] =>
  [...actionTable, ...toolTable].filter((row) => row[agent]?.includes(name)).map((row) => row.name);
