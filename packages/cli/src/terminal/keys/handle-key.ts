import type { KeyAction } from "@baton/core/terminal/key-actions";
import { keyHint } from "../../render/layout.ts";
import type { TerminalClient } from "../terminal-client.ts";
import { refreshCompletion } from "../input/refresh-completion.ts";
import type { Key } from "../input/key-decoder.ts";
import { editPromptOutside, showTranscript } from "../commands/external-programs.ts";
import { inBackground } from "../commands/pickers.ts";
import { handleSearchKey } from "./history-search.ts";
import { handleVimKey } from "./vim-keys.ts";
import { handleAnswerFieldKey, handleRequestKey } from "./request-keys.ts";
import { mentionPastedFiles, mention } from "../input/pasted-files.ts";
import { keepOnCharacter } from "../vim/undo.ts";
import { readClipboardImage } from "../commands/clipboard-image.ts";
import { errorMessage } from "@baton/core/client/rpc-errors";
import { runDetached } from "@baton/core/client/run-detached";
import { normalizePrompt, parseSlash, unknownSlash } from "@baton/core/text/slash-command";
import { offerRewind } from "../commands/rewind-and-undo.ts";
import { runTypedSlashCommand, showNextHelpPage, slashCommands } from "../commands/slash-commands.ts";
import { runUserShell } from "../commands/user-shell.ts";

/** Handles a key. The first part that is open takes it: a field, a menu, suggestions, a request, and last the prompt. */
export function handleKey(client: TerminalClient, key: Key): void {
  if (key.name === "focus" || key.name === "blur") return client.attention.setFocused(key.name === "focus");
  client.attention.keyPressed();
  client.clearHint();
  const action = client.keys.actionOf(key);
  if (action !== "expandCall") client.presses.expand.reset();
  if (key.text !== "?") client.presses.help.reset();
  const taken =
    handleLeaveKey(client, action) ||
    handlePickerKey(client, key, action) ||
    handleAnswerFieldKey(client, key, action) ||
    handleSearchKey(client, key, action) ||
    handleMenuKey(client, key) ||
    handleVimKey(client, key, action) ||
    handleSuggestionKey(client, key) ||
    handleGlobalKey(client, action) ||
    handleRequestKey(client, key, action) ||
    handlePromptKey(client, key, action);
  if (!taken) editPrompt(client, key, action);
  client.draw();
}

function handleLeaveKey(client: TerminalClient, action: KeyAction | undefined): boolean {
  if (action === "leaveIfEmpty" && client.line.text === "") {
    client.leave();
    return true;
  }
  if (action !== "leave") return false;
  if (client.presses.leave()) client.leave();
  client.line.closeField();
  const leaves = keyHint(client.style(), "leave", "again leaves");
  client.showHint(client.busy() ? `${leaves}; the turn continues. ${keyHint(client.style(), "cancel", "stops it")}` : leaves);
  return true;
}

function handlePickerKey(client: TerminalClient, key: Key, action: KeyAction | undefined): boolean {
  const { picker } = client;
  if (!picker) return false;
  if (!picker.press(key, action) && client.picker === picker) client.closePicker();
  return true;
}

function handleMenuKey(client: TerminalClient, { name, text }: Key): boolean {
  if (client.menuSize() === 0) return false;
  const index = Number(text) - 1;
  if (index >= 0 && index < client.menuSize()) {
    client.choose(index);
    return true;
  }
  client.closeMenu();
  return name === "escape";
}

function handleSuggestionKey(client: TerminalClient, { name, shift }: Key): boolean {
  const { line } = client;
  if (!line.suggestions) return false;
  if (name === "tab" && !shift) {
    line.complete();
    refreshCompletion(client);
    return true;
  }
  if (name === "up" || name === "down") {
    line.chooseSuggestion(name);
    return true;
  }
  if (name !== "escape") return false;
  line.closeSuggestions();
  return true;
}

function handleGlobalKey(client: TerminalClient, action: KeyAction | undefined): boolean {
  const run = action && globalActions[action];
  run?.(client);
  return run !== undefined;
}

/** The actions that work wherever the cursor is. */
const globalActions: Partial<Record<KeyAction, (client: TerminalClient) => void>> = {
  nextMode: (client) => client.commandQueue.turnMode(),
  nextRequest: (client) => client.nextRequest(),
  acceptEdits: (client) => inBackground(client, client.commandQueue.toggleAcceptEdits()),
  inbox: (client) => client.showInbox(),
  expandCall: (client) => client.expandCall(),
  externalEditor: editPromptOutside,
  transcript: showTranscript,
  pasteImage: (client) => inBackground(client, pasteImage(client)),
  redraw: (client) => client.draw(),
};

/** Applies a key that edits the prompt. Pasted paths of images become mentions. In normal mode the cursor stays on a character. */
function editPrompt(client: TerminalClient, key: Key, action: KeyAction | undefined): void {
  const { line, workspace } = client;
  const mentioned = key.name === "paste" && !line.field ? mentionPastedFiles(key.text ?? "", workspace) : undefined;
  if (!line.edit(mentioned === undefined ? key : { ...key, text: mentioned }, action)) return;
  if (line.vim?.mode === "normal") line.editWithVim(keepOnCharacter);
  refreshCompletion(client);
}

/** Puts a mention of the clipboard's image into the prompt. */
async function pasteImage(client: TerminalClient): Promise<void> {
  const result = await readClipboardImage();
  if ("problem" in result) client.showHint(result.problem);
  else client.line.edit({ name: "paste", text: `${mention(client.pastedImages.add(result.image))} ` }, undefined);
  client.draw();
}

/** Handles the keys of the prompt that do more than edit its text. */
function handlePromptKey(client: TerminalClient, { text }: Key, action: KeyAction | undefined): boolean {
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
  const text = normalizePrompt(client.line.expandedText());
  if (text === "") return;
  client.line.reset();
  if (text.startsWith("!") && text.length > 1) {
    client.history.add(text);
    runDetached(runUserShell(client, text.slice(1).trim()), (error) => client.notify(errorMessage(error)));
  } else if (isOwnSlash(client, text)) runDetached(runTypedSlashCommand(client, text), (error) => client.notify(errorMessage(error)));
  else {
    client.history.add(text);
    client.commandQueue.send(text, delivery);
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
