import path from "node:path";
import { judge, type RuleSet } from "@baton/core/permission/judge";
import { isSecretFile } from "./command/files/key-files.ts";
import { realPath } from "./command/files/path-on-disk.ts";
import { gateAccess, pathGate } from "./path.ts";
import { floorOf, isWithin } from "./protected-paths.ts";

/**
 * Returns the reason, in words for the user, why Baton should not read a project file that it reads without asking. Such a file
 * is a symlink to a place outside the control of the project. Returns undefined if the file may be read or does not exist.
 */
export function escapingSymlinkReason(file: string, workspace: string, ownRoots: readonly string[]): string | undefined {
  const real = realPath(file);
  const root = realPath(workspace);
  if (real === undefined || root === undefined) return undefined;
  const leads = `It leads to ${real}, `;
  if (!isWithin(root, real)) return `${leads}which is outside of the workspace.`;
  if (isSecretFile(real)) return `${leads}a file of keys.`;
  const floor = floorOf("read", { real, relative: path.relative(root, real), inside: true }, ownRoots);
  return floor && `${leads}where nobody may read (${floor.source}).`;
}

/** Returns the reason, in words for the user, why Baton should not read a project file on its own: rules deny reading it. */
export function deniedReadReason(file: string, workspace: string, rules: RuleSet): string | undefined {
  const gated = gateAccess({ action: "read", resource: file }, pathGate(realPath(workspace) ?? workspace), []);
  if ("refused" in gated) return undefined;
  const { effect, why } = judge(rules, "read_file", gated);
  return effect === "deny" ? `Your rules deny reading it: ${why}` : undefined;
}
