import * as vscode from "vscode";

/** The parts of the built-in Git extension's API that Baton uses (extensions/git/src/api/git.d.ts, version 1). */
export type GitRepository = {
  rootUri: vscode.Uri;
  inputBox: { value: string };
  /** The unified diff of the index (`cached`) or of the working tree. */
  diff: (cached?: boolean) => Promise<string>;
  log: (options?: { maxEntries?: number }) => Promise<{ message: string }[]>;
};

type GitExtension = { enabled: boolean; getAPI: (version: 1) => { repositories: GitRepository[] } };

/** The repositories of the window. Undefined if the Git extension is disabled. */
export async function gitRepositories(): Promise<readonly GitRepository[] | undefined> {
  const extension = vscode.extensions.getExtension<GitExtension>("vscode.git");
  const git = await extension?.activate();
  return git?.enabled ? git.getAPI(1).repositories : undefined;
}
