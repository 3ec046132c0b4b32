import { readFile, rename, writeFile } from "node:fs/promises";

/** How what is put into a config is written: as the first of its object, as elsewhere the entry before it would be written anew as well. */
export const FORMAT = { formattingOptions: { insertSpaces: true, tabSize: 2 }, getInsertionIndex: () => 0 };

/** Rewrites the text of a config in one step; one that is not there is an empty one. False: `change` gave undefined, and it stays. */
export async function editConfig(file: string, change: (text: string) => string | undefined): Promise<boolean> {
  const before = await readFile(file, "utf8").catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return "{}\n";
    throw error;
  });
  const text = change(before);
  if (text === undefined) return false;
  const beside = `${file}.${process.pid}.tmp`;
  await writeFile(beside, text, { mode: 0o600 });
  await rename(beside, file);
  return true;
}
