import * as vscode from "vscode";
import type { Folders } from "./folders.ts";
import { runDetached } from "./run-detached.ts";
import type { DaemonConnection } from "./connection.ts";
import { showWarning } from "../show-warning.ts";

const TRUST = "Trust in Baton Too";
const RESTRICT = "Do Not Trust in Baton";

/**
 * Offers to trust the folder in Baton too when the user trusts the workspace in the editor. Only this action counts,
 * because the editor also reports workspaces as trusted if workspace trust is off.
 */
export const offerWorkspaceTrust = (link: DaemonConnection, folders: Folders): vscode.Disposable =>
  vscode.workspace.onDidGrantWorkspaceTrust(() => {
    for (const cwd of folders.paths()) runDetached(ask(link, cwd), (error) => showWarning(String(error)));
  });

async function ask(link: DaemonConnection, cwd: string): Promise<void> {
  const { workspace } = await link.api();
  const { trust, files } = await workspace.status.query({ cwd });
  if (trust !== "unknown") return;
  const found = files.length === 0 ? "It has none of these now." : `It has: ${files.join(", ")}.`;
  const picked = await vscode.window.showInformationMessage(
    `You trust ${cwd} in the editor. If you trust it in Baton too, Baton uses the modes, rules, instructions and MCP servers of this project. ${found}`,
    TRUST,
    RESTRICT,
  );
  if (picked === undefined || !vscode.workspace.isTrusted) return; // Baton asks when a session needs the decision
  await workspace.trust.mutate({ cwd, trusted: picked === TRUST });
}
