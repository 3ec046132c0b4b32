import type { GroupName, Mode } from "../protocol/mode.ts";

/**
 * What a tool group is: its actions, which rules speak of, and its tools. `names`: what an action is about, which says
 * which limits make sense. `open`: it has tools beyond those listed here.
 */
export type GroupFacts = {
  name: GroupName;
  title: string;
  description: string;
  actions: readonly string[];
  tools: readonly string[];
  names: "files" | "commands" | "things";
  open?: true;
};

/** The way into configuration mode and out of it. Modes with tools of servers have it as well. */
export const configurationSwitches: readonly string[] = ["enter-configuration-mode", "exit-configuration-mode"];

const configuring = [
  "list-available-tools",
  "build-toolset",
  "list-saved-toolsets",
  "equip-toolset",
  "unequip-toolset",
  "delete-toolset",
  "get-active-toolset",
  "add-tool-annotation",
];

/** Every group there is. Rules speak of actions, modes speak of groups; this table is the only place that joins them. */
export const groups: readonly GroupFacts[] = [
  {
    name: "read",
    title: "Read",
    description: "Look at files of the workspace.",
    actions: ["read"],
    tools: ["read_file", "list_files", "search_text", "glob"],
    names: "files",
  },
  {
    name: "edit",
    title: "Edit",
    description: "Change files.",
    actions: ["edit"],
    tools: ["write_file", "edit_file", "apply_patch", "move_file", "delete_file"],
    names: "files",
  },
  {
    name: "browser",
    title: "Browser",
    description: "Read the web.",
    actions: ["fetch", "browser"],
    tools: ["fetch_url", "web_search"],
    names: "things",
  },
  {
    name: "command",
    title: "Command",
    description: "Run programs.",
    actions: ["command"],
    tools: ["run_command", "command_output", "stop_command"],
    names: "commands",
  },
  {
    name: "mcp",
    title: "MCP",
    description: "Use the tools of MCP servers.",
    actions: ["mcp"],
    tools: ["read_resource"],
    names: "things",
    open: true,
  },
  {
    name: "coordinator",
    title: "Coordinator",
    description: "Choose the mode.",
    actions: ["switch_mode", "coordinate_mode"],
    tools: ["switch_mode", "coordinate_mode"],
    names: "things",
  },
  {
    name: "orchestrate",
    title: "Orchestrate",
    description: "Hand work to other sessions.",
    actions: ["new_task"],
    tools: ["new_task"],
    names: "things",
  },
  {
    name: "plan",
    title: "Plan",
    description: "Go into and out of planning.",
    actions: ["enter_plan", "exit_plan"],
    tools: ["enter_plan", "exit_plan"],
    names: "things",
  },
  {
    name: "configuration",
    title: "Configuration",
    description: "Choose MCP tools.",
    actions: ["configure"],
    tools: [...configurationSwitches, ...configuring],
    names: "things",
  },
];

/** Tools that come upon files by their folder. They may look anywhere; what they find is judged file by file. */
export const searchTools: readonly string[] = ["list_files", "search_text", "glob"];

/** Tools that every mode has, where they are switched on. */
export const everyMode: readonly string[] = [
  "ask_followup_question",
  "attempt_completion",
  "update_todo_list",
  "skill",
  "run_slash_command",
];

/** Names that other programs and older texts use for our tools. */
export const aliases: Readonly<Record<string, string>> = {
  write_to_file: "write_file",
  apply_diff: "edit_file",
  search_and_replace: "edit_file",
  search_replace: "edit_file",
  insert_content: "edit_file",
  execute_command: "run_command",
  read_command_output: "command_output",
  search_files: "search_text",
  web_fetch: "fetch_url",
  access_mcp_resource: "read_resource",
};

/** The name of a tool that may be written by an older one. */
export const toolName = (name: string): string => (Object.hasOwn(aliases, name) ? (aliases[name] ?? name) : name);

/** The names of the groups that a mode has, limited or not. */
export const groupsOf = ({ groups: given }: Pick<Mode, "groups">): GroupName[] =>
  given.map((group) => (typeof group === "string" ? group : group.name));

export const groupOf = (name: GroupName): GroupFacts => {
  const facts = groups.find((group) => group.name === name);
  if (!facts) throw new Error(`no group ${name}`); // GroupName and the table are one list
  return facts;
};
