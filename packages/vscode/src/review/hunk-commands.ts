import { oneLine } from "@baton/core/text/sanitize";
import * as vscode from "vscode";
import { showWarning } from "../show-warning.ts";
import type { SessionCommandSender } from "../connection/session-command-sender.ts";
import { runDetached } from "../connection/run-detached.ts";
import { revertHunks } from "../request/apply-hunks-to-text.ts";
import { CHANGE_SCHEME, type VirtualDocuments } from "../request/virtual-documents.ts";
import type { OpenHunk, SessionReview } from "./session-review.ts";

type Options = { review: SessionReview; commands: SessionCommandSender; documents: VirtualDocuments };

/** Commands for the hunk under the cursor, or the one whose lens was clicked, and for all hunks of the active file. */
export function hunkCommands({ review, commands, documents }: Options): vscode.Disposable {
  const active = (): { editor: vscode.TextEditor; hunks: OpenHunk[] } | undefined => {
    const editor = vscode.window.activeTextEditor;
    return editor && { editor, hunks: review.hunksOf(editor.document) };
  };
  /** A lens can be clicked in an editor that is not active, or that another tab covers a moment later. */
  const meant = (key: string | undefined): OpenHunk | undefined => {
    if (key !== undefined)
      return vscode.workspace.textDocuments.flatMap((document) => review.hunksOf(document)).find((hunk) => hunk.key === key);
    const { editor, hunks } = active() ?? { hunks: [] };
    return editor && hunks.find((hunk) => isAt(hunk, editor.selection.active.line));
  };
  const on = (name: string, action: (hunk: OpenHunk) => Promise<unknown>) =>
    vscode.commands.registerCommand(`baton.hunk.${name}`, (key?: string) => {
      const hunk = meant(key);
      return hunk ? action(hunk) : showWarning("No change of the session is at the cursor.");
    });
  const onFile = (name: string, action: (hunks: readonly OpenHunk[]) => Promise<unknown>) =>
    vscode.commands.registerCommand(`baton.file.${name}`, () => {
      const { hunks } = active() ?? { hunks: [] };
      return hunks.length > 0 ? action(hunks) : showWarning("The session has no open changes in this file.");
    });
  const go = (step: 1 | -1) => {
    const { editor, hunks } = active() ?? { hunks: [] };
    const target = editor && nextHunk(hunks, editor.selection.active.line, step);
    if (!editor || !target) return;
    const at = new vscode.Position(target.place.line, 0);
    editor.selection = new vscode.Selection(at, at);
    editor.revealRange(new vscode.Range(at, at), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  };
  const offer = () => runDetached(vscode.commands.executeCommand("setContext", "baton.hasHunks", (active()?.hunks.length ?? 0) > 0));
  offer();
  return vscode.Disposable.from(
    review.onChange(offer),
    vscode.window.onDidChangeActiveTextEditor(offer),
    on("accept", (hunk) => review.accept([hunk])),
    on("reject", (hunk) => reject(hunk, commands)),
    on("compare", (hunk) => compare(hunk, documents)),
    vscode.commands.registerCommand("baton.hunk.next", () => go(1)),
    vscode.commands.registerCommand("baton.hunk.previous", () => go(-1)),
    onFile("accept", (hunks) => review.accept(hunks)),
    onFile("reject", async ([first]) => first && restoreFile(first, commands)),
  );
}

/** Takes back a hunk. A new file has only one, and is deleted. */
function reject(hunk: OpenHunk, commands: SessionCommandSender): Promise<void> {
  const { sessionId, change, hunk: where } = hunk;
  if (change.before === null || change.after === null) return restoreFile(hunk, commands);
  const { oldStart, newStart } = where;
  return commands.send(sessionId, {
    type: "restoreHunk",
    path: change.path,
    before: change.before,
    after: change.after,
    oldStart,
    newStart,
  });
}

async function restoreFile({ sessionId, change: { path, before } }: OpenHunk, commands: SessionCommandSender): Promise<void> {
  const [question, button] =
    before === null
      ? [`Delete ${oneLine(path)}, which this session created?`, "Delete the File"]
      : [`Restore ${oneLine(path)} to its content before this session?`, "Restore the File"];
  if ((await vscode.window.showWarningMessage(question, { modal: true }, button)) !== button) return;
  await commands.send(sessionId, { type: "undo", conversation: false, paths: [path] });
}

/** Opens the file beside its content before the session, at the hunk. */
async function compare({ document, sessionId, change, place }: OpenHunk, documents: VirtualDocuments): Promise<void> {
  const { path, before, view } = change;
  const text = revertHunks(document.getText(), view?.hunks ?? []) ?? "";
  const left = documents.keep(CHANGE_SCHEME, path, { id: `${sessionId}:${before ?? ""}`, side: "before", text });
  const selection = new vscode.Range(place.line, 0, place.line, 0);
  await vscode.commands.executeCommand("vscode.diff", left, document.uri, `${oneLine(path)} (this session)`, { selection });
}

const isAt = ({ place: { line, count } }: OpenHunk, cursor: number): boolean => cursor >= line && cursor <= line + Math.max(count - 1, 0);

/** The hunk after or before a line, from the other end of the file if there is none. */
function nextHunk(hunks: readonly OpenHunk[], cursor: number, step: 1 | -1): OpenHunk | undefined {
  if (step === 1) return hunks.find(({ place }) => place.line > cursor) ?? hunks[0];
  return hunks.findLast(({ place }) => place.line < cursor) ?? hunks.at(-1);
}
