import * as vscode from "vscode";

/** Shows a warning without waiting for a reaction. */
export function showWarning(problem: string): void {
  void vscode.window.showWarningMessage(problem);
}
