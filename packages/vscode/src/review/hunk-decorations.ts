import * as vscode from "vscode";
import type { RemovedLines } from "./hunk-position.ts";
import type { SessionReview } from "./session-review.ts";

const MAX_HOVER_LINES = 30;

/** Colors the added lines of open hunks, and marks where lines were removed. A hover shows the removed lines. */
export function hunkDecorations(review: SessionReview): vscode.Disposable {
  const added = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new vscode.ThemeColor("diffEditor.insertedLineBackground"),
    overviewRulerColor: new vscode.ThemeColor("editorOverviewRuler.addedForeground"),
    overviewRulerLane: vscode.OverviewRulerLane.Left,
  });
  const removed = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    borderWidth: "1px 0 0 0",
    borderStyle: "dashed",
    borderColor: new vscode.ThemeColor("editorGutter.deletedBackground"),
    overviewRulerColor: new vscode.ThemeColor("editorOverviewRuler.deletedForeground"),
    overviewRulerLane: vscode.OverviewRulerLane.Left,
  });
  const draw = () => {
    for (const editor of vscode.window.visibleTextEditors) {
      const hunks = review.hunksOf(editor.document);
      editor.setDecorations(
        added,
        hunks.flatMap(({ place }) => place.added.map(({ line, count }) => wholeLines(editor.document, line, count))),
      );
      editor.setDecorations(
        removed,
        hunks.flatMap(({ place }) => place.removed.map((lines) => removedMark(lines, editor.document))),
      );
    }
  };
  draw();
  return vscode.Disposable.from(added, removed, review.onChange(draw), vscode.window.onDidChangeVisibleTextEditors(draw));
}

const wholeLines = ({ lineCount }: vscode.TextDocument, line: number, count: number): vscode.Range =>
  new vscode.Range(line, 0, Math.min(line + count - 1, lineCount - 1), 0);

function removedMark({ line, lines }: RemovedLines, { lineCount, languageId }: vscode.TextDocument): vscode.DecorationOptions {
  const at = Math.min(line, lineCount - 1);
  const text = lines.slice(0, MAX_HOVER_LINES).join("\n");
  const hover = new vscode.MarkdownString("Removed by the session:\n").appendCodeblock(text, languageId);
  return { range: new vscode.Range(at, 0, at, 0), hoverMessage: hover };
}
