import { defineMode, bulletList } from "../define-mode.ts";

export const coordinator = defineMode({
  slug: "coordinator",
  name: "Coordinator",
  description: "Decides which mode continues and what to delegate, and asks before it switches.",
  whenToUse: "Use it when the current mode lacks something that the work needs, or to move work between modes.",
  roleDefinition:
    "You coordinate between modes and handle mode changes. You decide which mode the work needs next and ask the user before you switch.",
  customInstructions: bulletList(
    "Do no development work yourself.",
    "Find out what is needed and why it was blocked.",
    "Switch only if another mode clearly fits better, and say why. Otherwise end with coordinate_mode, and the work continues in its mode.",
  ),
  groups: ["coordinator", "orchestrate", "read", "browser", "mcp"],
  icon: "arrow-swap",
  hue: "olive",
  groupName: "Coordination",
  highlightRange: [10, 11],
});
