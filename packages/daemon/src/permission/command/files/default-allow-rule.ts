import type { Access, SourcedRule } from "@baton/core/protocol/rule";

/** Returns a rule of the gate that allows an access, unless the user has a rule about it. `source`: the reason. */
export function defaultAllowRule({ action, resource }: Access, source: string): SourcedRule {
  return { action, resource, effect: "allow", layer: "defaults", source };
}
