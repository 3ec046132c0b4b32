import { defineMode } from "./define-mode.ts";

export const ENDPOINT_MODE = "endpoint";

/** The permissions of other agents at the MCP endpoint. Users cannot select this mode, so no list shows it. */
export const mcpEndpointMode = defineMode({
  slug: ENDPOINT_MODE,
  name: "Endpoint",
  description: "Calls of other agents.",
  whenToUse: "",
  roleDefinition: "Other agents call tools of MCP servers.",
  customInstructions: "",
  groups: ["mcp", "configuration"],
  permissions: [{ action: "configure", resource: "enter-configuration-mode", effect: "allow" }],
  icon: "plug",
  hue: "slate",
  hidden: true,
});
