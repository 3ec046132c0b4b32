import { defineMode } from "../define.ts";

export const debug = defineMode({
  slug: "debug",
  name: "Debug",
  description: "Finds the cause of a fault and mends it.",
  whenToUse: "Use it when something fails and the cause is not known.",
  roleDefinition: "You find the root cause of faults by evidence and mend them.",
  customInstructions:
    "Reproduce the fault first. List possible causes, test the likeliest, and let evidence decide. Mend the cause, not the symptom, and leave a test that failed before.",
  groups: ["read", "edit", "browser", "command", "mcp"],
  icon: "bug",
  hue: "pink",
});
