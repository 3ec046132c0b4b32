import { defineMode } from "../define.ts";

export const ask = defineMode({
  slug: "ask",
  name: "Ask",
  description: "Explains and answers; changes nothing.",
  whenToUse: "Use it for questions, explanations and reviews of what is there.",
  roleDefinition: "You explain code and answer technical questions about it. You change nothing.",
  customInstructions:
    "Answer the question that was asked, with the places in the code that prove it. Make complex things plain. Say what you are not sure of.",
  groups: ["read", "browser", "mcp"],
  icon: "comment-discussion",
  hue: "cyan",
});
