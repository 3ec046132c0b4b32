import { foldersOf, type PluginRecord } from "./plugin-store.ts";
import { readPlugin, type PluginParts } from "./read-plugin.ts";
import { hashFiles, type PluginFile, type listPluginFiles } from "./list-plugin-files.ts";

/** An installed plugin. With a `problem` nothing of it is active. */
export type InstalledPlugin = { name: string; record: PluginRecord | undefined; files: readonly PluginFile[] } & (
  | { parts: PluginParts; problem?: undefined }
  | { parts?: undefined; problem: string }
);

const CHANGED_ON_DISK = "Its files have changed since you approved them, so nothing of it is active.";

/** Compares the files of a plugin with the approval, and reads them if they are the approved ones. `folder`: that of all plugins. */
export async function loadInstalledPlugin(
  folder: string,
  name: string,
  record: PluginRecord | undefined,
  survey: Awaited<ReturnType<typeof listPluginFiles>>,
): Promise<InstalledPlugin> {
  const files = "files" in survey ? survey.files : [];
  const broken = (problem: string): InstalledPlugin => ({ name, record, files, problem });
  const { root, data } = foldersOf(folder, name);
  if (!record) return broken("The record of your approval cannot be read, so nothing of it is active. Remove the plugin and add it again.");
  if ("problem" in survey) return broken(`${CHANGED_ON_DISK} ${capitalized(survey.problem)}`);
  try {
    if ((await hashFiles(root, files)) !== record.hash)
      return broken(`${CHANGED_ON_DISK} \`baton plugins update ${name}\` fetches it again and shows what is different.`);
    const parts = await readPlugin({ root, data, hash: record.hash }, files);
    return "problem" in parts ? broken(`It is no longer a plugin: ${parts.problem}`) : { name, record, files, parts };
  } catch (error) {
    return broken(`Its files cannot be read: ${error instanceof Error ? error.message : String(error)}.`);
  }
}

/** A sentence with a capital letter. One that begins with an address or a path stays as it is. */
export const capitalized = (text: string): string => (/^[a-z]+ /.test(text) ? `${text.charAt(0).toUpperCase()}${text.slice(1)}` : text);
