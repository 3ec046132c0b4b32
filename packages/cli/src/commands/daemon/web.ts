import { spawn } from "node:child_process";
import { currentPlatform, openerOf } from "@baton/daemon/client";
import { printJson } from "../output.ts";
import { resolveWorkspace } from "../../connection/resolve-workspace.ts";
import { withConnection } from "../../connection/daemon-connection.ts";

/** Prints the address of the page and opens it, ready for a session in this folder. It works for one minute and one browser. */
export function web(folder: string, { open = true, json = false }: { open?: boolean; json?: boolean }): Promise<void> {
  const workspace = resolveWorkspace(folder);
  return withConnection(async ({ api }) => {
    const { url: login } = await api.daemon.openPage.mutate();
    const url = `${login}/new/${encodeURIComponent(workspace)}`;
    if (json) printJson({ url });
    else process.stdout.write(`${url}\n`);
    if (open && !json) await openInBrowser(url);
  });
}

/** Opens a browser. If none opens, the user can use the printed address. */
function openInBrowser(url: string): Promise<void> {
  const [command, ...args] = openerOf(currentPlatform());
  const child = spawn(command, [...args, url], { stdio: "ignore", detached: true });
  child.unref();
  return new Promise((done) => {
    child.once("spawn", () => done());
    child.once("error", () => {
      process.stderr.write("No browser could be opened. Open the address above within a minute.\n");
      done();
    });
  });
}
