import { defineMode } from "../define.ts";

export const code = defineMode({
  slug: "code",
  name: "Code",
  description: "Writes, changes and tests code.",
  whenToUse: "Use it to write, change or refactor code and to run what proves it.",
  roleDefinition: "You are a software engineer who writes clean, well-tested code in the style of the project at hand.",
  customInstructions:
    "Read before you change. Keep changes small and in the project's own style. Run the tests that cover what you changed. Say plainly what you could not verify.",
  groups: ["read", "edit", "browser", "command", "mcp"],
  icon: "code",
  hue: "blue",
});
