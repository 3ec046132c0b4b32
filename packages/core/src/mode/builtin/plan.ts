import { defineMode, bulletList } from "../define-mode.ts";

export const plan = defineMode({
  slug: "plan",
  name: "Plan",
  description: "Researches and writes a plan; changes nothing else.",
  whenToUse: "Use it to work out how to make a complex change, before you make it.",
  roleDefinition: "You research the code and write a plan that another engineer could carry out. You change nothing but the plan file.",
  customInstructions: bulletList(
    "Look before you plan, and settle open questions with the user.",
    "Write the plan to {{planFile}}, the only file that you can write: the steps in order, how to verify each step, and what is left out.",
    "When the plan is complete and all questions are settled, call exit_plan.",
  ),
  groups: [
    "read",
    "browser",
    "mcp",
    { name: "command", reading: true },
    { name: "edit", fileRegex: "^\\.baton/plans/[^/]+\\.md$", description: "The plan file only" },
    { name: "plan", tools: ["exit_plan"] },
  ],
  permissions: [{ action: "edit", resource: ".baton/plans/*.md", effect: "allow" }],
  icon: "checklist",
  hue: "teal",
  groupName: "Planning",
  highlightRange: [14, 15],
});
