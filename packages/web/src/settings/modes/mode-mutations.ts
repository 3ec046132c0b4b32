import type { Api } from "../../connection/connection.ts";
import { withoutEmptyFields, type Definition, type Scope } from "./draft.ts";

type Where = { cwd: string; scope: Scope; slug: string };

/** What is done to mode files. Each deed bears one id, so that over a lost connection it counts once. */
export const createMode = (api: Api, { cwd, scope }: Where, definition: Definition) => {
  return api.mode.create.mutate({ cwd, scope, definition: withoutEmptyFields(definition) });
};

/** In another scope than the mode's own this makes a definition there, which stands in front. */
export const updateMode = (api: Api, { cwd, scope, slug }: Where, change: Definition) => {
  return api.mode.update.mutate({ cwd, scope, slug, change });
};

export const deleteMode = (api: Api, { cwd, scope, slug }: Where) => {
  return api.mode.delete.mutate({ cwd, scope, slug });
};

export const restoreMode = (api: Api, { cwd, scope, slug }: Where) => {
  return api.mode.restore.mutate({ cwd, scope, slug });
};

/** Copies the modes of a file of any format, and says what came of it. A mode that is there already stays as it is. */
export async function importModes(
  api: Api,
  { cwd, scope }: Omit<Where, "slug">,
  { name, text }: { name: string; text: string },
): Promise<string> {
  // its name tells the format; what lies beside the folder is not held for the project's own
  const files = [{ path: `${cwd}/../${name}`, text }];
  const { imported, diagnostics } = await api.mode.import.mutate({ cwd, scope, files });
  const came = imported.length === 0 ? "Nothing was imported." : `Imported: ${imported.join(", ")}.`;
  return [came, ...diagnostics.map(({ message }) => message)].join(" ");
}

/** Makes a copy in our own form, in front of the file that it was read from. Throws the first reason why there is none. */
export async function copyMode(api: Api, { cwd, scope }: Where, file: string): Promise<void> {
  const { imported, diagnostics } = await api.mode.import.mutate({ cwd, scope, files: [{ path: file }], overwrite: true });
  if (imported.length === 0) throw new Error(diagnostics[0]?.message ?? `Nothing in ${file} could be copied.`);
}
