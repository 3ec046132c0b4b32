import { realpathSync } from "node:fs";
import * as vscode from "vscode";

/** The folders of the window, by their real paths, as the daemon names workspaces. */
export type Folders = { paths: () => readonly string[]; has: (workspace: string) => boolean };

export const windowFolders: Folders = {
  paths,
  has: (workspace) => {
    const here = paths();
    return here.length === 0 || here.includes(workspace);
  },
};

function paths(): readonly string[] {
  return (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === "file").map(({ uri }) => realPath(uri.fsPath));
}

/** The path without symlinks, or the path itself if there is no such file. */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path; // a deleted folder has no sessions, and a new document no file
  }
}
