import { resolveWorkspace } from "../../connection/resolve-workspace.ts";
import type { TerminalClient } from "../terminal-client.ts";

/** `/add-dir PATH`: lets the session work in another folder. `/read-dir PATH`: lets it only read there. Without a path it lists them. */
export async function addFolder(client: TerminalClient, typed: string, readOnly: boolean): Promise<void> {
  if (typed === "") return listFolders(client);
  const path = resolveWorkspace(typed.replace(/^~(?=\/|$)/, client.style().home));
  await client.commandQueue.addRoot({ path, readOnly });
  client.notify(readOnly ? `The session may read ${path}.` : `The session may work in ${path}.`);
}

function listFolders(client: TerminalClient): void {
  const roots = client.view()?.state.roots ?? client.commandQueue.roots();
  if (roots.length === 0)
    return client.notify("The session has no other folders. /add-dir PATH adds one, /read-dir PATH one to read only.");
  client.print(roots.map(({ path, readOnly }) => `  ${path}${readOnly ? "  read only" : ""}`));
}

/** `/remove-dir PATH`: takes a folder away from the session. */
export async function removeFolder(client: TerminalClient, typed: string): Promise<void> {
  if (typed === "") return client.notify("/remove-dir needs the path of a folder. /add-dir lists them.");
  const path = typed.replace(/^~(?=\/|$)/, client.style().home);
  await client.commandQueue.run({ type: "removeRoot", path });
}
