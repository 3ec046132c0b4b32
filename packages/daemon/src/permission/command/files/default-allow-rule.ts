import type { Access, SourcedRule } from "@baton/core/protocol/rule";

/** Returns a rule of the gate that allows an access, unless the user has a rule about it. `source`: the reason. */
export const defaultAllowRule = ({ action, resource }: Access, source: string): SourcedRule => ({
  action,
  resource,
  effect: "allow",
  layer: "defaults",
  source,
});
