import { dependentFiles } from "./dependent-files.ts";
import type { LanguageServer } from "../server/language-server.ts";
import { newErrors, type FileError } from "./new-errors.ts";
import { readErrors, type ErrorsByFile } from "./read-errors.ts";
import { isTypeScriptServer } from "./tsserver-errors.ts";

/** A change of a file. `before` and `after` are null if there was no file or there is none anymore. */
export type FileEdit = { file: string; before: string | null; after: string | null };

/** New errors of a file. `causedBy`: the edited file. Undefined if any of them may be the cause. */
export type NewErrors = { file: string; causedBy: string | undefined; errors: readonly FileError[] };

/** How long a server may index the project before it is asked for the files that use a symbol, in milliseconds. */
const INDEX_MS = 20_000;

/**
 * The errors that edits caused, in the edited files and in files that use them. The server first gets the texts before the edits
 * and reports their errors, and then the texts after the edits. Both states are complete, because an open text hides the file on the disk.
 */
export async function checkWithLanguageServer(server: LanguageServer, edits: readonly FileEdit[]): Promise<NewErrors[]> {
  const edited = new Set(edits.map(({ file }) => file));
  await server.refresh(edited);
  for (const { file, before } of edits) if (before !== null) await server.sync(file, before);
  if (!isTypeScriptServer(server)) await server.published.settled(INDEX_MS); // a server that is indexing does not know all files
  const causes = new Map<string, string>();
  for (const { file, before, after } of edits)
    if (before !== null)
      for (const other of await dependentFiles(server, file, before, after ?? ""))
        if (!edited.has(other) && (await server.syncFromDisk(other))) causes.set(other, file);
  const files = [...edited, ...causes.keys()];
  const opened = () => files.filter((file) => server.textOf(file) !== undefined);
  const errorsBefore = await readErrors(server, opened());

  for (const { file, after } of edits) {
    if (after === null) await server.closeFile(file);
    else await server.sync(file, after);
  }
  await server.announce(edits.map(({ file, before, after }) => ({ file, kind: kindOf(before, after) })));
  const errorsAfter = await readErrors(server, opened());
  await server.closeUnused(new Set(files));

  return [...errorsAfter.keys()].flatMap((file) => {
    const edit = edits.find((each) => each.file === file);
    const errors = newErrors(checkedFile(errorsBefore, file, edit?.before), checkedFile(errorsAfter, file, edit?.after));
    return errors.length === 0 ? [] : [{ file, causedBy: edit ? file : causes.get(file), errors }];
  });
}

const checkedFile = (errors: ErrorsByFile, file: string, text: string | null | undefined) => ({
  errors: errors.get(file) ?? [],
  text: text ?? undefined,
});

function kindOf(before: string | null, after: string | null): "created" | "changed" | "deleted" {
  if (after === null) return "deleted";
  return before === null ? "created" : "changed";
}
