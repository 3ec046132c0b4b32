import { applyEdits, modify } from "jsonc-parser";
import type { TextReplacement } from "../edit/edit-types.ts";
import { editText, type EditedText } from "../edit/edit-text.ts";
import { parseNotebook, toSourceLines } from "./notebook.ts";

/**
 * Edits a file. In a notebook, the model sees the cells, so the text is searched in the sources of the cells. It must be in exactly one cell.
 * Everything else in the file stays as it is.
 */
export function editFileText(path: string, text: string, edit: TextReplacement): EditedText | { fault: string } {
  const notebook = parseNotebook(path, text);
  if (!notebook) return editText(text, edit);
  const found = notebook.cells.flatMap(({ source }, index) => {
    const edited = editText(source, edit);
    return "fault" in edited ? [] : [{ index, edited }];
  });
  const [only, other] = found;
  if (!only) return editJson(path, text, edit);
  if (other && !edit.all)
    return {
      fault: `old_text is in ${found.length} cells (${found.map(({ index }) => index + 1).join(", ")}). Add surrounding lines until it is unique.`,
    };
  let after = text;
  for (const { index, edited } of found) {
    const formattingOptions = { insertSpaces: true, tabSize: 1, eol: "\n" };
    after = applyEdits(after, modify(after, ["cells", index, "source"], toSourceLines(edited.text), { formattingOptions }));
  }
  return { text: after, count: found.reduce((sum, { edited }) => sum + edited.count, 0), ignored: only.edited.ignored };
}

/** An edit of the JSON itself, which must remain a notebook. */
function editJson(path: string, text: string, edit: TextReplacement): EditedText | { fault: string } {
  const edited = editText(text, edit);
  if ("fault" in edited || parseNotebook(path, edited.text)) return edited;
  return { fault: "The edit would leave a file that is no notebook. Name the text of a cell as read_file shows it." };
}
