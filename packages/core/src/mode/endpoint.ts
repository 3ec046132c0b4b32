import { defineMode } from "./define.ts";

export const ENDPOINT = "endpoint";

/** What other agents may do through the endpoint. It is no mode that anybody chooses, so it stands in no list. */
export const endpoint = defineMode({
  slug: ENDPOINT,
  name: "Endpoint",
  description: "What other agents call.",
  whenToUse: "",
  roleDefinition: "Other agents call tools of MCP servers.",
  customInstructions: "",
  groups: ["mcp", "configuration"],
  permissions: [{ action: "configure", resource: "enter-configuration-mode", effect: "allow" }],
  icon: "plug",
  hue: "slate",
  hidden: true,
});
