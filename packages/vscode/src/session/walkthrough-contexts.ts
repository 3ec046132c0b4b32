import * as vscode from "vscode";
import type { DaemonConnection } from "../connection/connection.ts";
import type { DaemonLists } from "../connection/daemon-lists.ts";
import { runDetached } from "../connection/run-detached.ts";

/** The page, another client or an editor of the config can choose the model, so it is asked for until there is one. */
const ASK_AGAIN_MS = 3_000;

/**
 * Contexts that complete steps of the walkthrough: whether a model can be used, and whether the workspace has a session. VS Code never
 * completes a step whose context is already true when it loads the walkthrough. So the steps also require that the walkthrough is the
 * active editor, which becomes true after that.
 */
export function startContexts(link: DaemonConnection, lists: DaemonLists): vscode.Disposable {
  const set = (name: string, value: boolean) => vscode.commands.executeCommand("setContext", `baton.${name}`, value);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let closed = false;
  const look = async (): Promise<void> => {
    const { daemon } = await link.api();
    const { problem } = await daemon.model.query({}).catch(() => ({ problem: "not connected" }));
    if (problem === null) await set("hasModel", true);
    else if (!closed) timer = setTimeout(() => runDetached(look()), ASK_AGAIN_MS);
  };
  runDetached(look());
  return vscode.Disposable.from(
    lists.onSessions(() => runDetached(set("hasSession", lists.sessionsHere.length > 0))),
    {
      dispose: () => {
        closed = true;
        clearTimeout(timer);
      },
    },
  );
}
