import { defineMode, bulletList } from "../define-mode.ts";

export const debug = defineMode({
  slug: "debug",
  name: "Debug",
  description: "Finds the root cause of a bug systematically and fixes it.",
  whenToUse: "Use it when something fails and the cause is unknown.",
  roleDefinition: "You are an expert software debugger who diagnoses problems systematically and fixes their root cause.",
  customInstructions: bulletList(
    "Analyze error messages and stack traces, and reproduce the bug first.",
    "List possible causes, test the likeliest first, and let evidence decide.",
    "Fix the cause, not the symptom, and test the fix.",
    "Leave a test that failed before, so that the bug does not come back.",
  ),
  groups: ["read", "edit", "browser", "command", "mcp"],
  icon: "bug",
  hue: "pink",
  groupName: "Development",
  highlightRange: [6, 7],
});
