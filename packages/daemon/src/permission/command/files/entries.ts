import { readdirSync, type Dirent } from "node:fs";

/** The entries of a folder. Empty where there is no folder, or none that may be read: then a program cannot read it either. */
export function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
