import type { TerminalClient } from "../client.ts";
import { refreshCompletion } from "../input/refresh-completion.ts";
import type { Key } from "../input/key-decoder.ts";
import { editPrompt, showTranscript } from "../commands/external-programs.ts";
import { inBackground } from "../commands/pickers.ts";
import { handleSearchKey } from "./history-search.ts";
import { handlePromptKey } from "./prompt-keys.ts";
import { handleAnswerFieldKey, handleRequestKey } from "./request-keys.ts";

/** Handles a key. The first part that is open takes it: a field, a menu, suggestions, a request, and last the prompt. */
export function handleKey(client: TerminalClient, key: Key): void {
  if (key.name === "focus" || key.name === "blur") return client.attention.setFocused(key.name === "focus");
  client.attention.keyPressed();
  client.clearHint();
  if (!(key.ctrl && key.name === "o")) client.presses.expand.reset();
  if (key.text !== "?") client.presses.help.reset();
  const taken =
    handleLeaveKey(client, key) ||
    handlePickerKey(client, key) ||
    handleAnswerFieldKey(client, key) ||
    handleSearchKey(client, key) ||
    handleMenuKey(client, key) ||
    handleSuggestionKey(client, key) ||
    handleGlobalKey(client, key) ||
    handleRequestKey(client, key) ||
    handlePromptKey(client, key);
  if (!taken && client.line.edit(key)) refreshCompletion(client);
  client.draw();
}

function handleLeaveKey(client: TerminalClient, { name, ctrl }: Key): boolean {
  if (ctrl && name === "d" && client.line.text === "") {
    client.leave();
    return true;
  }
  if (!ctrl || name !== "c") return false;
  if (client.presses.leave()) client.leave();
  client.line.closeField();
  client.showHint(client.busy() ? "Ctrl+C again leaves; the work goes on. Esc stops it" : "Ctrl+C again leaves");
  return true;
}

function handlePickerKey(client: TerminalClient, key: Key): boolean {
  const { picker } = client;
  if (!picker) return false;
  if (!picker.press(key) && client.picker === picker) client.closePicker();
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

function handleGlobalKey(client: TerminalClient, { name, ctrl, alt, shift }: Key): boolean {
  if (name === "tab" && !ctrl) {
    if (shift) client.outbox.turnMode();
    else client.nextRequest();
    return true;
  }
  if (alt && name === "e") {
    inBackground(client, client.outbox.toggleAcceptEdits());
    return true;
  }
  if (!ctrl) return false;
  switch (name) {
    case "g":
      client.showInbox();
      return true;
    case "o":
      client.expandCall();
      return true;
    case "x":
      editPrompt(client);
      return true;
    case "t":
      showTranscript(client);
      return true;
    case "l":
      return true;
    default:
      return false;
  }
}
