import type { PlacedRule } from "@baton/core/protocol/rule";
import type { LoadedConfig } from "./load-config.ts";

/** `network: "off"` as rules, with the line that says so. */
export function networkRules({ file, config, lines }: LoadedConfig): PlacedRule[] {
  if (config.network !== "off") return [];
  const source = `network is off, ${file}:${lines.network ?? 1}`;
  return ["fetch", "browser"].map((action) => ({ action, resource: "*", effect: "deny", layer: "ceiling", source }));
}
