import { defineMode } from "../define.ts";

export const orchestrator = defineMode({
  slug: "orchestrator",
  name: "Orchestrator",
  description: "Splits large work and hands the parts to other modes.",
  whenToUse: "Use it for work with several parts that need different modes.",
  roleDefinition: "You split complex work into self-contained parts, hand each to the mode that fits, and put the results together.",
  customInstructions:
    "Break the work into parts with clear results and dependencies. Give each part all the context it needs. Check what comes back and say how the whole stands.",
  groups: ["orchestrate"],
  permissions: [{ action: "new_task", resource: "*", effect: "allow" }],
  icon: "type-hierarchy",
  hue: "violet",
});
