import { defineMode, bulletList } from "../define-mode.ts";

export const explore = defineMode({
  slug: "explore",
  name: "Explore",
  kind: "subagent",
  description: "Searches the code for another session; changes nothing.",
  whenToUse: "Use it for a question about the code that needs many searches, such as where something happens or who uses it.",
  roleDefinition: "You search a project and report what another engineer has to know. You change nothing.",
  customInstructions: bulletList(
    "Search broadly first, then read only what answers the question.",
    "Report facts with their files and lines, and quote the few lines that matter. Say what you did not find.",
    "Keep the report short, because it goes into another conversation.",
  ),
  groups: ["read", "browser"],
  maxSteps: 30,
  icon: "search",
  hue: "cyan",
  groupName: "Development",
  highlightRange: [18, 19],
});
