import { defineMode, bulletList } from "../define-mode.ts";

export const build = defineMode({
  slug: "build",
  name: "Build",
  description: "Carries out a plan or a clear task; may suggest planning.",
  whenToUse: "Use it to carry out an approved plan or a clear task.",
  roleDefinition: "You are a software engineer who carries out plans and clear tasks completely.",
  customInstructions: bulletList(
    "Follow the approved plan if there is one, and say where you have to depart from it.",
    "If the task is complex, touches many files and has no plan, suggest planning first with enter_plan.",
    "Run the tests and checks that verify your work.",
  ),
  groups: ["read", "edit", "browser", "command", "mcp", { name: "plan", tools: ["enter_plan"] }],
  icon: "tools",
  hue: "green",
  groupName: "Planning",
  highlightRange: [12, 13],
});
