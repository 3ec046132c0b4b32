import { existsSync } from "node:fs";
import path from "node:path";
import type { GatedAccess } from "@baton/core/permission/judge";
import type { ShellContext } from "../shell/shell-context.ts";

/**
 * Returns the accesses of files of the workspace that an absolute path in a container may stand for: `/app/src/a.ts` may be `src/a.ts`. The gate does not
 * know what is mounted where, so only rules that limit these files apply.
 */
export function mountedFiles({ action, resource }: GatedAccess, { workspace }: ShellContext["place"]): GatedAccess[] {
  if (action !== "read" && action !== "edit") return [];
  const parts = resource.split("/").slice(2);
  const names = parts.map((_, i) => parts.slice(i).join("/"));
  return names
    .filter((name) => existsSync(path.join(workspace, name.includes("/") ? path.dirname(name) : name)))
    .map((name) => ({ action, resource: name, suspected: true }));
}

/** Returns such accesses for the paths in a script that runs in a container, as in `docker exec app sh -c 'cat /app/a'`. */
export function mountedFilesInText(text: string, place: ShellContext["place"]): GatedAccess[] {
  const paths = /\s/.test(text) ? (text.match(/(?<![\w./-])\/[\w./@-]+/g) ?? []) : [];
  const uses = ["read", "edit"] as const;
  return paths.flatMap((resource) => uses.flatMap((action) => mountedFiles({ action, resource }, place)));
}
