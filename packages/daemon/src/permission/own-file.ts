import { realpathSync } from "node:fs";
import path from "node:path";
import { isSecretFile } from "./command/files/find-secrets.ts";
import { floorOf, isWithin } from "./protected-paths.ts";

/**
 * Why a file of a project that is read without a question is not to be read, in words for people: it is a link to what
 * the project has no say about. Undefined: it may be read, or is not there.
 */
export function strangeFile(file: string, workspace: string, ownRoots: readonly string[]): string | undefined {
  const real = realOf(file);
  const root = realOf(workspace);
  if (real === undefined || root === undefined) return undefined;
  const leads = `It leads to ${real}, `;
  if (!isWithin(root, real)) return `${leads}which is outside of the workspace.`;
  if (isSecretFile(real)) return `${leads}a file of keys.`;
  const floor = floorOf("read", { real, relative: path.relative(root, real), inside: true }, ownRoots);
  return floor && `${leads}where nobody may read (${floor.source}).`;
}

function realOf(file: string): string | undefined {
  try {
    return realpathSync.native(file);
  } catch {
    return undefined; // who reads it finds out why
  }
}
