import type { GroupName } from "../protocol/mode.ts";

/** What a tool group is and which action its tools state. `tools` names those that share no action of their own. */
export type GroupFacts = { name: GroupName; title: string; description: string; actions: readonly string[] };

/** Every group there is. Rules speak of actions, modes speak of groups; this table is the only place that joins them. */
export const groups: readonly GroupFacts[] = [
  { name: "read", title: "Read", description: "Look at files of the workspace.", actions: ["read"] },
  { name: "edit", title: "Edit", description: "Change files.", actions: ["edit"] },
  { name: "browser", title: "Browser", description: "Read the web.", actions: ["fetch", "browser"] },
  { name: "command", title: "Command", description: "Run programs.", actions: ["command"] },
  { name: "mcp", title: "MCP", description: "Use the tools of MCP servers.", actions: ["mcp"] },
  { name: "coordinator", title: "Coordinator", description: "Choose the mode.", actions: ["switch_mode", "coordinate_mode"] },
  { name: "orchestrate", title: "Orchestrate", description: "Hand work to other sessions.", actions: ["new_task"] },
  { name: "plan", title: "Plan", description: "Go into and out of planning.", actions: ["enter_plan", "exit_plan"] },
  { name: "configuration", title: "Configuration", description: "Choose MCP tools.", actions: ["configure"] },
];
