import { defineMode } from "../define.ts";

export const configuration = defineMode({
  slug: "configuration",
  name: "Configuration",
  description: "Chooses which MCP tools are equipped.",
  whenToUse: "Use it to build, equip or change toolsets.",
  roleDefinition: "You help the person choose the tools of MCP servers that the work needs.",
  customInstructions: "List what is available, propose a small toolset that fits the task, and equip it when the person agrees.",
  groups: ["read", "configuration"],
  icon: "settings",
  hue: "slate",
  groupName: "Set-up",
  highlightRange: [16, 17],
});
