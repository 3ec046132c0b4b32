import type { Api } from "../../connection/connection-types.ts";
import { withoutEmptyFields, type Definition, type Scope } from "./mode-draft.ts";

type Where = { cwd: string; scope: Scope; slug: string };

/** Changes to mode files. */
export const createMode = (api: Api, { cwd, scope }: Where, definition: Definition) => {
  return api.mode.create.mutate({ cwd, scope, definition: withoutEmptyFields(definition) });
};

/** In another scope than that of the mode, this creates a definition that overrides it. */
export const updateMode = (api: Api, { cwd, scope, slug }: Where, change: Definition) => {
  return api.mode.update.mutate({ cwd, scope, slug, change });
};

export const deleteMode = (api: Api, { cwd, scope, slug }: Where) => {
  return api.mode.delete.mutate({ cwd, scope, slug });
};

export const restoreMode = (api: Api, { cwd, scope, slug }: Where) => {
  return api.mode.restore.mutate({ cwd, scope, slug });
};

/** Imports the modes of a file in any format, and returns a summary. Existing modes stay as they are. */
export async function importModes(
  api: Api,
  { cwd, scope }: Omit<Where, "slug">,
  { name, text }: { name: string; text: string },
): Promise<string> {
  // The name tells the format. The path is outside of the folder, so the file does not count as the project's.
  const files = [{ path: `${cwd}/../${name}`, text }];
  const { imported, diagnostics } = await api.mode.import.mutate({ cwd, scope, files });
  const came = imported.length === 0 ? "Nothing was imported." : `Imported: ${imported.join(", ")}.`;
  return [came, ...diagnostics.map(({ message }) => message)].join(" ");
}

/** Copies a mode into Baton's format, where it overrides the original file. Throws the first diagnostic if that fails. */
export async function copyMode(api: Api, { cwd, scope }: Where, file: string): Promise<void> {
  const { imported, diagnostics } = await api.mode.import.mutate({ cwd, scope, files: [{ path: file }], overwrite: true });
  if (imported.length === 0) throw new Error(diagnostics[0]?.message ?? `Nothing in ${file} could be copied.`);
}
