import type { FileEdit, NewErrors } from "./check-with-language-server.ts";
import type { AttachedEditor, EditorErrors } from "./editor-diagnostics.ts";
import { newErrors, type FileError } from "./new-errors.ts";

/** The errors that an editor knew before a file changed: those of the file, and those of files that use it. */
export type Baseline = { editor: AttachedEditor; errors: EditorErrors };

/** An edit of a file with the errors before it. */
export type EditWithBaseline = FileEdit & { baseline: Baseline };

/** `unjudged`: the edits about which the editor cannot say anything. `later`: errors that the editor found after its answer. */
export type EditorResult = { found: NewErrors[]; unjudged: FileEdit[]; later?: Promise<NewErrors[]> };

/** Asks an editor for the errors before a file changes. Undefined if it cannot judge the file, does not answer in time, or leaves. */
export async function readBaseline(
  editor: AttachedEditor,
  file: string,
  before: string | null,
  withinMs: number,
): Promise<Baseline | undefined> {
  if (before === null) return { editor, errors: new Map([[file, []]]) }; // a file that does not exist has no errors
  try {
    const { errors } = await editor.look("before", [file], withinMs);
    return errors.has(file) ? { editor, errors } : undefined;
  } catch {
    return undefined; // a server of Baton checks the file
  }
}

/** The errors that edits caused, as the editor knows them. The edits have baselines of this editor. */
export async function checkWithEditor(editor: AttachedEditor, edits: readonly EditWithBaseline[], withinMs: number): Promise<EditorResult> {
  const before = new Map<string, { errors: readonly FileError[]; causedBy: string }>();
  for (const { file, baseline } of edits)
    for (const [each, errors] of baseline.errors) if (!before.has(each)) before.set(each, { errors, causedBy: file }); // the first one is the oldest
  const removed = new Set(edits.flatMap(({ file, after }) => (after === null ? file : [])));
  const files = [...before.keys()].filter((file) => !removed.has(file));
  let answer: Awaited<ReturnType<AttachedEditor["look"]>>;
  try {
    answer = await editor.look("after", files, withinMs);
  } catch {
    return { found: [], unjudged: [...edits] };
  }

  const newIn = (errors: EditorErrors): NewErrors[] =>
    [...errors].flatMap(([file, now]) => {
      const known = before.get(file);
      if (!known) return [];
      const edit = edits.find((each) => each.file === file);
      const found = newErrors({ errors: known.errors, text: edit?.before ?? undefined }, { errors: now, text: edit?.after ?? undefined });
      return found.length === 0 ? [] : [{ file, causedBy: edit ? file : known.causedBy, errors: found }];
    });
  const found = newIn(answer.errors);
  return {
    found,
    unjudged: edits.filter(({ file }) => !removed.has(file) && !answer.errors.has(file)),
    later: answer.later.then((errors) => (errors ? withoutKnown(newIn(errors), found) : [])),
  };
}

/** The errors that were not reported before. */
function withoutKnown(now: readonly NewErrors[], before: readonly NewErrors[]): NewErrors[] {
  const keyOf = (file: string, { line, message }: FileError) => JSON.stringify([file, line, message]);
  const known = new Set(before.flatMap(({ file, errors }) => errors.map((error) => keyOf(file, error))));
  return now
    .map((each) => ({ ...each, errors: each.errors.filter((error) => !known.has(keyOf(each.file, error))) }))
    .filter(({ errors }) => errors.length > 0);
}
