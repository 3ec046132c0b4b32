import type { GatedAccess } from "@baton/core/permission/judge";

/** Makes every edit of a file with unsaved changes ask. `clientOf` returns the client whose editor holds the changes. */
export function askForUnsavedFiles(accesses: readonly GatedAccess[], clientOf: (resource: string) => string | undefined): GatedAccess[] {
  return accesses.map((access): GatedAccess => {
    const { action, resource, floor } = access;
    const client = action === "edit" && floor?.effect !== "deny" ? clientOf(resource) : undefined;
    if (client === undefined) return access;
    return { ...access, floor: { action, resource, effect: "ask", layer: "gate", source: `unsaved changes in ${client}`, once: true } };
  });
}
