import { realpathSync, statSync } from "node:fs";
import path from "node:path";
import { usageError } from "./exit-codes.ts";

/** The real path of the folder to work in. */
export function resolveWorkspace(folderName = "."): string {
  const folder = path.resolve(folderName);
  let real: string;
  try {
    real = realpathSync(folder);
  } catch {
    throw usageError(`There is no folder ${folder}. Name an existing folder.`);
  }
  if (!statSync(real).isDirectory()) throw usageError(`${folder} is not a folder. Name the folder to work in.`);
  return real;
}
