import { readFile, rename, writeFile } from "node:fs/promises";
import type { Rule } from "@baton/core/protocol/rule";
import { applyEdits, findNodeAtLocation, modify, parseTree } from "jsonc-parser";

const FORMAT = { formattingOptions: { insertSpaces: true, tabSize: 2 } };

/**
 * Puts rules before those of the config, so that the person's own have the last word. Comments stay. A config whose
 * permissions are written as a table is left alone: gives false.
 */
export async function addRules(file: string, rules: readonly Rule[]): Promise<boolean> {
  const before = await readFile(file, "utf8").catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return "{}\n";
    throw error;
  });
  const root = parseTree(before, [], { allowTrailingComma: true });
  const there = root && findNodeAtLocation(root, ["permissions"]);
  if (there && there.type !== "array") return false;
  const text = there
    ? rules.reduceRight(
        (now, rule) => applyEdits(now, modify(now, ["permissions", 0], rule, { ...FORMAT, isArrayInsertion: true })),
        before,
      )
    : applyEdits(before, modify(before, ["permissions"], rules, FORMAT));
  const beside = `${file}.${process.pid}.tmp`;
  await writeFile(beside, text, { mode: 0o600 });
  await rename(beside, file);
  return true;
}
