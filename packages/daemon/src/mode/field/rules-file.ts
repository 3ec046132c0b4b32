import path from "node:path";
import { FieldReader } from "../field-reader.ts";
import type { ReadContext, RulesFile } from "../mode-read-context.ts";

/** The rules files of an export bundle. A path outside the mode's rules folder is ignored. */
export function readRulesFiles(fields: FieldReader, slug: string, reading: ReadContext): RulesFile[] {
  const entry = fields.entry("rulesFiles");
  if (!entry) return [];
  if (entry.value.kind !== "list") {
    reading.warn(entry.value.at, "wrong_type", "rulesFiles must be a list of { relativePath, content }, so Baton ignores it.");
    return [];
  }
  return entry.value.items.flatMap((item): RulesFile[] => {
    if (item.kind !== "map") return [];
    const file = new FieldReader(item, reading);
    const writtenPath = file.text("relativePath");
    const content = file.text("content");
    if (writtenPath === undefined || content === undefined) return [];
    // Older bundles include the folder of the mode.
    const relativePath = path.posix.normalize(writtenPath.replaceAll("\\", "/")).replace(new RegExp(`^rules-${slug}/`), "");
    if (
      !path.posix.isAbsolute(relativePath) &&
      !/^[A-Za-z]:/.test(relativePath) &&
      relativePath.split("/")[0] !== ".." &&
      relativePath !== "."
    )
      return [{ relativePath, content }];
    reading.warn(
      item.at,
      "unsafe_path",
      `The rules file ${JSON.stringify(relativePath.slice(0, 100))} is outside the mode's rules folder, so Baton ignores it.`,
      "Use a path inside it.",
    );
    return [];
  });
}
