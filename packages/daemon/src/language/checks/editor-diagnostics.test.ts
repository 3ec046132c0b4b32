import { expect, test } from "vitest";
import { openEditorDiagnostics, type AttachedEditor, type EditorDiagnostics, type EditorLook } from "./editor-diagnostics.ts";

const errors = new Map([["/a/x.ts", [{ line: 1, column: 1, message: "No." }]]]);

function editorAt(editors: EditorDiagnostics, folder: string): AttachedEditor {
  const editor = editors.at(folder);
  if (!editor) throw new Error(`no editor has ${folder} open`);
  return editor;
}

test("each look gets its own answer, in any order, and only one later one", async () => {
  const editors = openEditorDiagnostics();
  const looks: EditorLook[] = [];
  const holder = editors.hold(["/a"], (look) => looks.push(look));
  const editor = editorAt(editors, "/a/b");
  const answers = Array.from({ length: 10 }, (_, i) => editor.look("after", [`/a/${i}.ts`], 5_000));
  for (const { id, files } of looks.toReversed()) editors.answer(holder, id, new Map(files.map((file) => [file, []])));
  const got = await Promise.all(answers);
  expect(got.map(({ errors: found }) => [...found.keys()])).toEqual(looks.map(({ files }) => files));
  for (const { id } of looks) editors.answer(holder, id, errors);
  for (const { id } of looks) editors.answer(holder, id, new Map());
  expect(await Promise.all(got.map(({ later }) => later))).toEqual(looks.map(() => errors));
});

test("an editor that leaves ends its looks, before and after its answer, and no longer counts", async () => {
  const editors = openEditorDiagnostics();
  const looks: EditorLook[] = [];
  const holder = editors.hold(["/a"], (look) => looks.push(look));
  const editor = editorAt(editors, "/a");
  const [answered, open] = [editor.look("after", [], 5_000), editor.look("before", [], 5_000)];
  editors.answer(holder, looks[0]?.id ?? "", errors);
  const { later } = await answered;
  editors.release(holder);
  await expect(open).rejects.toThrow("the editor was closed");
  expect([await later, editors.at("/a")]).toEqual([undefined, undefined]);
  editors.answer(holder, looks[1]?.id ?? "", errors); // nobody waits for it anymore
});

test("an editor that does not answer in time is not waited for", async () => {
  const editors = openEditorDiagnostics();
  editors.hold(["/a"], () => undefined);
  await expect(editorAt(editors, "/a").look("before", ["/a/x.ts"], 10)).rejects.toThrow("did not answer in time");
});
