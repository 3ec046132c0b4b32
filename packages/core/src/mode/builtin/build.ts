import { defineMode } from "../define.ts";

export const build = defineMode({
  slug: "build",
  name: "Build",
  description: "Builds, from a plan or directly; may suggest planning.",
  whenToUse: "Use it to carry out an approved plan or a task that is clear.",
  roleDefinition: "You are a software engineer who carries out plans and clear tasks to the end.",
  customInstructions:
    "Follow the approved plan where there is one and say where you must depart from it. When the task is complex and unplanned, suggest planning first. Run what proves the work.",
  groups: ["read", "edit", "browser", "command", "mcp", { name: "plan", tools: ["enter_plan"] }],
  icon: "tools",
  hue: "green",
});
