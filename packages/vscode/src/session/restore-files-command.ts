import type { PromptEntry } from "@baton/core/session/transcript/entry";
import { transcriptOf } from "@baton/core/session/transcript/build-transcript";
import { errorMessage } from "@baton/core/client/rpc-errors";
import { formatCount } from "@baton/core/text/format";
import { oneLine } from "@baton/core/text/sanitize";
import type { Api } from "@baton/daemon/client";
import * as vscode from "vscode";
import type { DaemonConnection } from "../connection/connection.ts";
import { showWarning } from "../show-warning.ts";
import type { SessionCommandSender } from "../connection/session-command-sender.ts";
import type { ActiveSession } from "./active-session.ts";

/** The list covers the prompts in this many of the newest events. */
const MAX_EVENTS = 5_000;

/**
 * Restores files to before a prompt of the active session. This is a list and not part of the Timeline view, because extensions cannot
 * add to that view: its API is still a proposal.
 */
export function restoreFilesCommand(link: DaemonConnection, current: ActiveSession, commands: SessionCommandSender): vscode.Disposable {
  return vscode.commands.registerCommand("baton.restoreFiles", async () => {
    const { row } = current;
    if (!row) return showWarning("There is no session in this workspace yet.");
    try {
      const api = await link.api();
      const prompt = await pickPrompt(api, row.id);
      const wish = prompt && (await pickScope(api, row.id, prompt));
      if (wish) await commands.send(row.id, wish);
    } catch (error) {
      showWarning(errorMessage(error));
    }
  });
}

async function pickPrompt({ session }: Api, sessionId: string): Promise<PromptEntry | undefined> {
  const { events } = await session.open.query({ sessionId, tail: MAX_EVENTS });
  const transcript = transcriptOf(events);
  const prompts = transcript.entries.filter((entry): entry is PromptEntry => entry.kind === "prompt" && entry.synthetic === undefined);
  const items = prompts.toReversed().map((prompt) => ({
    label: oneLine(prompt.text),
    description: new Date(prompt.at).toLocaleString(),
    prompt,
  }));
  const picked = await vscode.window.showQuickPick(items, { title: "Restore the files to before which prompt?" });
  return picked?.prompt;
}

type Undo = { type: "undo"; promptId: string; conversation: boolean; partial?: true };

/** Shows which files would be restored, and asks whether the conversation goes back too. */
async function pickScope({ session }: Api, sessionId: string, { id: promptId, text }: PromptEntry): Promise<Undo | undefined> {
  const { files, unseen } = await session.undoPlan.query({ sessionId, promptId });
  const [left, restored] = [files.filter(({ conflict }) => conflict), files.filter(({ conflict }) => !conflict)];
  const names = (of: typeof files) => of.map(({ path }) => oneLine(path)).join(", ");
  if (restored.length === 0) {
    showWarning(`Somebody else has changed ${names(left)} since then, so nothing is restored.`);
    return undefined;
  }
  const partial = left.length > 0 ? ({ partial: true } as const) : {};
  const notes = [
    names(restored),
    ...(left.length > 0 ? [`stays, because somebody else has changed it: ${names(left)}`] : []),
    ...(unseen.length > 0 ? [`other changes by ${formatCount(unseen.length, "command")} stay`] : []),
  ];
  const detail = notes.join("; ");
  const picked = await vscode.window.showQuickPick(
    [
      { label: `Restore ${formatCount(restored.length, "file")}`, detail, conversation: false },
      { label: `Restore ${formatCount(restored.length, "file")} and rewind the conversation`, detail, conversation: true },
    ],
    { title: `Before "${oneLine(text).slice(0, 60)}"` },
  );
  return picked && { type: "undo", promptId, conversation: picked.conversation, ...partial };
}
