import path from "node:path";
import { FieldReader } from "../field-reader.ts";
import type { ReadContext, RulesFile } from "../read-context.ts";

/** The rules files of an export bundle. A path that leads out of the mode's own rules folder is left out. */
export function readRulesFiles(fields: FieldReader, slug: string, reading: ReadContext): RulesFile[] {
  const entry = fields.entry("rulesFiles");
  if (!entry) return [];
  if (entry.value.kind !== "list") {
    reading.warn(entry.value.at, "wrong_type", "rulesFiles is a list of { relativePath, content }; it is left out.");
    return [];
  }
  return entry.value.items.flatMap((item): RulesFile[] => {
    if (item.kind !== "map") return [];
    const file = new FieldReader(item, reading);
    const [given, content] = [file.text("relativePath"), file.text("content")];
    if (given === undefined || content === undefined) return [];
    // Older bundles name the folder of the mode as well.
    const relativePath = path.posix.normalize(given.replaceAll("\\", "/")).replace(new RegExp(`^rules-${slug}/`), "");
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
      `The rules file ${JSON.stringify(given.slice(0, 100))} leads out of the folder of the mode's rules; it is left out.`,
      "Give a path inside it.",
    );
    return [];
  });
}
