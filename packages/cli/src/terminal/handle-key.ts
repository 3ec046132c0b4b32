import type { Request, Answer } from "@baton/core/protocol/request";
import { expandSlash, parseSlash, unknownSlash } from "@baton/core/text/slash-command";
import { parseRule, ruleText } from "@baton/core/text/rule-text";
import { takesWords } from "../render/status-line.ts";
import { fullText } from "../render/request.ts";
import { runDetached } from "@baton/core/client/run-detached";
import { errorMessage } from "@baton/core/client/errors";
import type { TerminalClient } from "./client.ts";
import { inputWith, editInput, emptyInput, insert, rowsOf } from "./input-buffer.ts";
import type { Key } from "./key-decoder.ts";
import { offerRewind } from "./rewind.ts";
import { handleSearchKey } from "./history-search.ts";
import { runUserShell } from "./user-shell.ts";
import { nextHelp, availableSlashCommands, runSlashCommand, slashCommands } from "./slash-commands.ts";
import { acceptCompletion, suggest } from "./completion.ts";
import { acceptsKey } from "./request-focus.ts";

const LEAVE_MS = 2_000;
const leaveAsked = new WeakMap<TerminalClient, number>();

/** What a key does. First what is open takes it (a note, suggestions, a request), then the line to type in. */
export function handleKey(client: TerminalClient, key: Key): void {
  client.hint = undefined;
  if (!(key.ctrl && key.name === "o")) client.forgetExpanded();
  if (key.text !== "?") client.helpPage = 0;
  const taken =
    leaveKey(client, key) ||
    typingKey(client, key) ||
    handleSearchKey(client, key) ||
    pickKey(client, key) ||
    suggestionKey(client, key) ||
    globalKey(client, key) ||
    requestKey(client, key) ||
    promptKey(client, key);
  if (!taken) edit(client, key);
  client.draw();
}

function leaveKey(client: TerminalClient, { name, ctrl }: Key): boolean {
  if (ctrl && name === "d" && client.draft.text === "") {
    client.leave();
    return true;
  }
  if (!ctrl || name !== "c") return false;
  const now = performance.now();
  if (now - (leaveAsked.get(client) ?? -LEAVE_MS) < LEAVE_MS) client.leave();
  leaveAsked.set(client, now);
  client.typing = undefined;
  client.draft = emptyInput;
  client.hint = client.busy() ? "Ctrl+C again leaves; the work goes on. Esc stops it" : "Ctrl+C again leaves";
  return true;
}

/** A note or a rule is being typed. */
function typingKey(client: TerminalClient, key: Key): boolean {
  const { typing, focus } = client;
  if (!typing || !focus) return false;
  if (key.name === "escape") {
    endTyping(client);
    return true;
  }
  if (key.name !== "enter" || key.shift || key.ctrl) {
    client.draft = editInput(client.draft, key) ?? client.draft;
    return true;
  }
  const said = client.draft.text.trim();
  const request = client.focused()?.request;
  if (typing === "note") client.focus = { ...focus, note: said === "" ? undefined : said };
  else if (request) keepRule(client, request, said);
  endTyping(client);
  return true;
}

function keepRule(client: TerminalClient, request: Request, said: string): void {
  const { focus } = client;
  const rule = parseRule(said, request.remember);
  if (!rule) return void (client.hint = "a rule is an action and a resource, such as: command git push *");
  if (focus) client.focus = { ...focus, rule };
}

function endTyping(client: TerminalClient): void {
  const typed = client.typing;
  client.typing = undefined;
  client.draft = emptyInput;
  const { focus } = client;
  const open = client.focused();
  if (!focus || !open) return;
  const kept = typed === "note" ? focus.note : focus.rule && ruleText(focus.rule);
  if (kept !== undefined)
    client.say(
      typed === "note"
        ? `Your answer will carry the note “${kept}”.`
        : `2 and 3 will remember: ${kept}`.replace("2 and 3", digitsThatRemember(open.request)),
    );
}

const digitsThatRemember = ({ choices }: Request): string =>
  choices.flatMap(({ id }, i) => (id === "session" || id === "workspace" ? [String(i + 1)] : [])).join(" and ");

/** Something was printed to choose from: a digit chooses. */
function pickKey(client: TerminalClient, { name, text }: Key): boolean {
  if (!client.picking) return false;
  const index = Number(text) - 1;
  if (name === "escape") client.picking = undefined;
  else if (index >= 0 && index < client.picking.of) client.pick(index);
  else {
    client.picking = undefined;
    return false;
  }
  return true;
}

function suggestionKey(client: TerminalClient, { name, shift }: Key): boolean {
  const { suggestions } = client;
  if (!suggestions) return false;
  const { items, chosen } = suggestions;
  if (name === "tab" && !shift) {
    client.draft = acceptCompletion(client.draft, suggestions, items[chosen]?.text ?? "");
    refresh(client);
  } else if (name === "up" || name === "down")
    client.suggestions = { ...suggestions, chosen: (chosen + (name === "up" ? items.length - 1 : 1)) % items.length };
  else if (name === "escape") client.suggestions = undefined;
  else return false;
  return true;
}

function globalKey(client: TerminalClient, { name, ctrl, shift }: Key): boolean {
  if (name === "tab" && !ctrl) {
    if (shift) client.outbox.turnMode();
    else client.nextRequest();
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
    case "l":
      return true;
    default:
      return false;
  }
}

/** A request has the keys. Only with nothing typed, and only when it stood there for a moment without any key. */
function requestKey(client: TerminalClient, key: Key): boolean {
  const open = client.focused();
  if (!client.focus || !open) return false;
  const { focus } = client;
  const takes = acceptsKey(focus, performance.now());
  const { request } = open;
  if (key.name === "escape") {
    client.later();
    return true;
  }
  if (client.draft.text === "" && key.text !== undefined && key.name !== "paste" && !key.ctrl && !key.alt) {
    const choice = request.choices[Number(key.text) - 1];
    if (!takes && (choice || (focus.wanted && isLetter(request, key.text)))) {
      client.hint = "too early: press it again";
      return true;
    }
    if (choice) {
      give(client, request, { choice: choice.id });
      return true;
    }
    if (takes && letterKey(client, request, key.text)) return true;
    client.draftFor = takes && takesWords(request) ? request.id : "prompt";
  }
  if (key.name === "paste" && client.draft.text === "") client.draftFor = takes && takesWords(request) ? request.id : "prompt";
  if (key.name !== "enter" || key.shift || key.ctrl || key.alt) return false;
  if (client.draft.text.trim() === "") {
    client.hint = "Enter alone answers nothing: press a digit";
    return true;
  }
  if (client.draftFor !== request.id || client.draft.text.endsWith("\\")) return false;
  give(client, request, { text: client.draft.text.trim() });
  client.draft = emptyInput;
  return true;
}

const give = (client: TerminalClient, request: Request, answer: Answer): void => client.give(request, answer);

const isLetter = (request: Request, text: string): boolean => !takesWords(request) && /^[denv]$/.test(text);

function letterKey(client: TerminalClient, request: Request, letter: string): boolean {
  if (!isLetter(request, letter)) return false;
  const no = request.choices.find(({ id }) => id === "deny" || id === "stop");
  switch (letter) {
    case "d":
      if (no) give(client, request, { choice: no.id });
      return no !== undefined;
    case "n":
      client.typing = "note";
      client.draft = inputWith(client.focus?.note ?? "");
      return true;
    case "e": {
      const rule = client.focus?.rule ?? request.remember;
      if (!rule) return false;
      client.typing = "rule";
      client.draft = inputWith(ruleText(rule));
      return true;
    }
    case "v":
      client.print(fullText(request, client.look()));
      return true;
    default:
      return false;
  }
}

function promptKey(client: TerminalClient, { name, ctrl, alt, shift, text }: Key): boolean {
  const { draft } = client;
  if (name === "escape") {
    escape(client);
    return true;
  }
  if (name === "enter" && !shift && !ctrl) {
    enter(client, alt ? "steer" : "queue");
    return true;
  }
  if (text === "?" && draft.text === "") {
    nextHelp(client);
    return true;
  }
  if (name === "up" || name === "down") return historyKey(client, name);
  return false;
}

const TWICE_MS = 1_000;
const escaped = new WeakMap<TerminalClient, number>();

/** Esc stops what is under way; twice, with nothing under way and nothing typed, goes back to an earlier prompt. */
function escape(client: TerminalClient): void {
  if (client.stopShell) return client.stopShell();
  if (client.busy()) return client.interrupt();
  if (client.draft.text !== "" || !client.view()) return;
  const now = performance.now();
  if (now - (escaped.get(client) ?? -TWICE_MS) < TWICE_MS) return offerRewind(client);
  escaped.set(client, now);
  client.hint = "Esc again goes back to an earlier prompt";
}

function enter(client: TerminalClient, delivery: "queue" | "steer"): void {
  const { draft } = client;
  if (draft.text.slice(0, draft.cursor).endsWith("\\")) {
    client.draft = insert({ text: draft.text.slice(0, draft.cursor - 1) + draft.text.slice(draft.cursor), cursor: draft.cursor - 1 }, "\n");
    return;
  }
  const text = expandSlash(draft.text);
  if (text === "") return;
  client.draft = emptyInput;
  client.suggestions = undefined;
  client.historyAt = undefined;
  client.draftFor = "prompt";
  if (text.startsWith("!") && text.length > 1) {
    client.history.add(text);
    runDetached(runUserShell(client, text.slice(1).trim()), (error) => client.say(errorMessage(error)));
  } else if (isOwnSlash(client, text)) runDetached(runSlashCommand(client, text), (error) => client.say(errorMessage(error)));
  else {
    client.history.add(text);
    client.outbox.send(text, delivery);
  }
  client.settleFocus();
}

/** Whether a line that begins with `/` is for this client, and not a command from a file or of a server. */
function isOwnSlash(client: TerminalClient, text: string): boolean {
  const name = parseSlash(text)?.name;
  return (
    name !== undefined &&
    (slashCommands.some((each) => each.name === name) || unknownSlash(text, namesOf(client.here.commands())) !== undefined)
  );
}

const namesOf = (commands: readonly { name: string }[]): string[] => commands.map(({ name }) => name);

/** Up and Down move in the text while it has such a row, else through what was sent before. */
function historyKey(client: TerminalClient, name: "up" | "down"): boolean {
  const { draft, history } = client;
  const { rows, row, column } = rowsOf(draft, client.look().columns - 4);
  const target = name === "up" ? row - 1 : row + 1;
  if (target >= 0 && target < rows.length && client.historyAt === undefined) {
    client.draft = { ...draft, cursor: cursorAt(draft.text, client.look().columns - 4, target, column) };
    return true;
  }
  const at = (client.historyAt ?? history.entries.length) + (name === "up" ? -1 : 1);
  if (at < 0 || at > history.entries.length) return true;
  client.historyAt = at === history.entries.length ? undefined : at;
  client.draft = inputWith(history.entries[at] ?? "");
  client.draftFor = "prompt";
  return true;
}

function cursorAt(text: string, columns: number, row: number, column: number): number {
  let best = 0;
  for (let cursor = 0; cursor <= text.length; cursor++) {
    const place = rowsOf({ text, cursor }, columns);
    if (place.row === row && place.column <= column) best = cursor;
  }
  return best;
}

function edit(client: TerminalClient, key: Key): void {
  const next = editInput(client.draft, key);
  if (!next) return;
  if (next.text !== client.draft.text) client.historyAt = undefined;
  if (next.text === "") client.draftFor = "prompt";
  client.draft = next;
  refresh(client);
}

const forgotten = () => undefined; // a draft without completion is still a draft

/** Looks for what could be meant by what is being typed. `chosen` is what stays chosen if it is still there. */
function refresh(client: TerminalClient, chosen?: string): void {
  const { draft, workspace, here } = client;
  if (!here.resources && /^\/|(?:^|\s)@/.test(draft.text)) here.learnOfServers().then(() => refreshCompletion(client), forgotten);
  const found = suggest(draft, workspace, availableSlashCommands(client), here.resources);
  client.suggestions = found && {
    ...found,
    chosen: Math.max(
      0,
      found.items.findIndex(({ text }) => text === chosen),
    ),
  };
  client.draw();
}

/** Looks again because more is known now, not because something was typed: what is chosen stays chosen. */
export const refreshCompletion = (client: TerminalClient): void =>
  refresh(client, client.suggestions?.items[client.suggestions.chosen]?.text);
