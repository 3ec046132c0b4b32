import type { Gated } from "@baton/core/permission/judge";

/** A change of a file with unsaved changes asks each time, whoever allowed it before. `clientOf` says in whose editor they are. */
export function askWhereUnsaved(accesses: readonly Gated[], clientOf: (resource: string) => string | undefined): Gated[] {
  return accesses.map((access): Gated => {
    const { action, resource, floor } = access;
    const client = action === "edit" && floor?.effect !== "deny" ? clientOf(resource) : undefined;
    if (client === undefined) return access;
    return { ...access, floor: { action, resource, effect: "ask", layer: "gate", source: `unsaved changes in ${client}`, once: true } };
  });
}
