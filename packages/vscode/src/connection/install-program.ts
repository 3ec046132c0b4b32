import * as vscode from "vscode";

const COMMAND = "npm install --global @baton/cli";

/** Installs Baton in a terminal that the user sees. Resolves with true if it succeeded. */
export async function installProgram(): Promise<boolean> {
  const task = new vscode.Task(
    { type: "baton.install" },
    vscode.TaskScope.Workspace,
    "Install Baton",
    "Baton",
    new vscode.ShellExecution(COMMAND),
  );
  task.presentationOptions = { reveal: vscode.TaskRevealKind.Always, panel: vscode.TaskPanelKind.Dedicated };
  const execution = await vscode.tasks.executeTask(task);
  return new Promise((settle) => {
    const listening = vscode.tasks.onDidEndTaskProcess((end) => {
      if (end.execution !== execution) return;
      listening.dispose();
      settle(end.exitCode === 0);
    });
  });
}
