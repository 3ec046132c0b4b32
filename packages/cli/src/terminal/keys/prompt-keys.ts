import { errorMessage } from "@baton/core/client/errors";
import { runDetached } from "@baton/core/client/run-detached";
import type { KeyAction } from "@baton/core/terminal/key-actions";
import { expandSlash, parseSlash, unknownSlash } from "@baton/core/text/slash-command";
import { keyHint } from "../../render/layout.ts";
import type { TerminalClient } from "../client.ts";
import { offerRewind } from "../commands/rewind.ts";
import { runSlashCommand, showNextHelpPage, slashCommands } from "../commands/slash-commands.ts";
import { runUserShell } from "../commands/user-shell.ts";
import type { Key } from "../input/key-decoder.ts";

/** Handles the keys of the prompt that do more than edit its text. */
export function handlePromptKey(client: TerminalClient, { text }: Key, action: KeyAction | undefined): boolean {
  if (action === "cancel") {
    handleEscape(client);
    return true;
  }
  if (action === "send" || action === "steer") {
    send(client, action === "steer" ? "steer" : "queue");
    return true;
  }
  if (text === "?" && client.line.text === "") {
    showNextHelpPage(client);
    return true;
  }
  if (action !== "previousPrompt" && action !== "nextPrompt") return false;
  client.line.moveRow(action === "previousPrompt" ? "up" : "down", client.style().columns - 4);
  return true;
}

/** Esc stops what is running. Pressed twice with nothing running and nothing typed, it goes back to an earlier prompt. */
function handleEscape(client: TerminalClient): void {
  if (client.stopProgram()) return;
  if (client.busy()) return client.interrupt();
  if (client.line.text !== "" || !client.view()) return;
  if (client.presses.rewind()) offerRewind(client);
  else client.showHint(keyHint(client.style(), "cancel", "again goes back to an earlier prompt"));
}

function send(client: TerminalClient, delivery: "queue" | "steer"): void {
  if (client.line.breakLine()) return;
  const text = expandSlash(client.line.expandedText());
  if (text === "") return;
  client.line.reset();
  if (text.startsWith("!") && text.length > 1) {
    client.history.add(text);
    runDetached(runUserShell(client, text.slice(1).trim()), (error) => client.notify(errorMessage(error)));
  } else if (isOwnSlash(client, text)) runDetached(runSlashCommand(client, text), (error) => client.notify(errorMessage(error)));
  else {
    client.history.add(text);
    client.outbox.send(text, delivery);
  }
  client.settleFocus();
}

/** Whether this client runs the slash command itself. It sends commands of files and servers to the daemon. */
function isOwnSlash(client: TerminalClient, text: string): boolean {
  const name = parseSlash(text)?.name;
  if (name === undefined) return false;
  const known = client.here.commands().map((command) => command.name);
  return slashCommands.some((command) => command.name === name) || unknownSlash(text, known) !== undefined;
}
