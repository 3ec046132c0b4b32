import { omitUndefined } from "@baton/core/text/omit-undefined";
import { errorMessage } from "@baton/core/client/rpc-errors";
import * as vscode from "vscode";
import type { DaemonConnection } from "../connection/connection.ts";
import { showWarning } from "../show-warning.ts";
import { runDetached } from "../connection/run-detached.ts";
import type { ActiveSession } from "../session/active-session.ts";
import { gitRepositories, type GitRepository } from "./git-api.ts";

const RECENT = 15;

/** Fills the input box of Source Control with a message for the staged changes, or for all changes if none is staged. Commits nothing. */
export function commitMessageCommand(link: DaemonConnection, current: ActiveSession): vscode.Disposable {
  return vscode.commands.registerCommand("baton.commitMessage", async (source?: { rootUri?: vscode.Uri }) => {
    const repositories = await gitRepositories();
    if (!repositories) return showWarning("The Git extension of the editor is disabled.");
    const repository = await pick(repositories, source?.rootUri);
    if (!repository) return repositories.length === 0 ? showWarning("This window has no Git repository.") : undefined;
    const progress = { location: vscode.ProgressLocation.SourceControl, title: "Writing a commit message" };
    await vscode.window.withProgress(progress, async () => {
      try {
        fill(repository, await write(repository, link, current));
      } catch (error) {
        showWarning(errorMessage(error));
      }
    });
  });
}

type Written = { message: string; leftOut: readonly string[] };

async function write(repository: GitRepository, link: DaemonConnection, current: ActiveSession): Promise<Written> {
  const staged = await repository.diff(true);
  const diff = staged.trim() === "" ? await repository.diff(false) : staged;
  if (diff.trim() === "") throw new Error("There are no changes to describe. Stage the new files that belong to the commit.");
  const commits = await repository.log({ maxEntries: RECENT }).catch(() => []); // a repository without commits
  const { workspace } = await link.api();
  return workspace.commitMessage.mutate({
    cwd: repository.rootUri.fsPath,
    diff,
    recent: commits.map(({ message }) => (message.split("\n")[0] ?? "").slice(0, 500)),
    ...omitUndefined({ sessionId: current.row?.id }),
  });
}

/** Puts the message into the input box. The user can take back what it replaced. */
function fill({ inputBox }: GitRepository, { message, leftOut }: Written): void {
  const before = inputBox.value;
  inputBox.value = message;
  if (leftOut.length > 0) showWarning(`The message does not cover ${leftOut.join(", ")}: the model does not see files that may hold keys.`);
  if (before.trim() === "" || before === message) return;
  const offer = vscode.window.showInformationMessage("The message replaced the text in the input box.", "Restore the Text");
  runDetached(offer.then((picked) => void (picked && (inputBox.value = before))));
}

/** The repository whose button was clicked, the only one, or the one that the user picks. */
async function pick(repositories: readonly GitRepository[], root: vscode.Uri | undefined): Promise<GitRepository | undefined> {
  const clicked = repositories.find(({ rootUri }) => root !== undefined && String(rootUri) === String(root));
  if (clicked || repositories.length < 2) return clicked ?? repositories[0];
  const items = repositories.map((repository) => ({ label: vscode.workspace.asRelativePath(repository.rootUri), repository }));
  return (await vscode.window.showQuickPick(items, { title: "Write a commit message for" }))?.repository;
}
