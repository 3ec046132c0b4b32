import { defineMode, lines } from "../define.ts";

export const build = defineMode({
  slug: "build",
  name: "Build",
  description: "Builds, from a plan or directly; may suggest planning.",
  whenToUse: "Use it to carry out an approved plan or a task that is clear.",
  roleDefinition: "You are a software engineer who carries out plans and clear tasks to the end.",
  customInstructions: lines(
    "Follow the approved plan where there is one, and say where you must depart from it.",
    "When the task is complex, touches many files and is unplanned, suggest planning first with enter_plan.",
    "Run what proves the work.",
  ),
  groups: ["read", "edit", "browser", "command", "mcp", { name: "plan", tools: ["enter_plan"] }],
  icon: "tools",
  hue: "green",
  groupName: "Planning",
  highlightRange: [12, 13],
});
