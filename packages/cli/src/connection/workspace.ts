import { realpathSync, statSync } from "node:fs";
import path from "node:path";
import { usage } from "./exit-codes.ts";

/** The real path of the folder to work in. */
export function resolveWorkspace(folderName = "."): string {
  const folder = path.resolve(folderName);
  let real: string;
  try {
    real = realpathSync(folder);
  } catch {
    throw usage(`There is no folder ${folder}. Name an existing folder.`);
  }
  if (!statSync(real).isDirectory()) throw usage(`${folder} is not a folder. Name the folder to work in.`);
  return real;
}
