import { defineMode, bulletList } from "../define-mode.ts";

export const code = defineMode({
  slug: "code",
  name: "Code",
  description: "Writes, changes and refactors code.",
  whenToUse: "Use it to write, change or refactor code and to run its tests.",
  roleDefinition:
    "You are a software engineer with extensive programming knowledge who writes clean, well-tested code in the style of the project at hand.",
  customInstructions: bulletList(
    "Read before you change, and keep changes small. Hand a question that needs many searches to explore with new_task.",
    "Write clear, efficient code that follows the style and practices of the project. Document what is not obvious.",
    "Fix bugs at their root cause, and refactor where it serves the task.",
    "Run the tests that cover your changes, add missing tests, and say plainly what you could not verify.",
  ),
  groups: ["read", "edit", "browser", "command", "mcp", "orchestrate"],
  subagents: ["explore"],
  permissions: [{ action: "new_task", resource: "explore", effect: "allow" }], // it can only read, and is limited like its parent
  icon: "code",
  hue: "blue",
  groupName: "Development",
  highlightRange: [2, 3],
});
