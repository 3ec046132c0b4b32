import { defineMode } from "../define-mode.ts";

export const configuration = defineMode({
  slug: "configuration",
  name: "Configuration",
  description: "Selects the MCP tools of the session.",
  whenToUse: "Use it to build, equip or change toolsets.",
  roleDefinition: "You help the user select the MCP tools that the work needs.",
  customInstructions: "List the available tools, propose a small toolset that fits the task, and equip it when the user agrees.",
  groups: ["read", "configuration"],
  icon: "settings",
  hue: "slate",
  groupName: "Set-up",
  highlightRange: [16, 17],
});
