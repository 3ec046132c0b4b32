import { takesNote } from "@baton/core/protocol/request-traits";
import type { KeyAction } from "@baton/core/terminal/key-actions";
import type { Request } from "@baton/core/protocol/request";
import { parseRule, ruleText } from "@baton/core/text/rule-text";
import { fullText } from "../../render/request/request.ts";
import { acceptsText } from "../../render/status-line.ts";
import { keyHint } from "../../render/layout.ts";
import type { TerminalClient } from "../terminal-client.ts";
import type { Key } from "../input/key-decoder.ts";
import { acceptsKey } from "../request-focus.ts";

/** Handles a key while the user types a note or a rule. */
export function handleAnswerFieldKey(client: TerminalClient, key: Key, action: KeyAction | undefined): boolean {
  const { line, requests } = client;
  if (!line.field || !requests.focus) return false;
  if (action === "cancel") {
    closeField(client);
    return true;
  }
  if (action !== "send") {
    line.edit(key, action);
    return true;
  }
  const typed = line.text.trim();
  const request = requests.focused()?.request;
  if (line.field === "note") requests.addToAnswer({ note: typed === "" ? undefined : typed });
  else if (request) keepRule(client, request, typed);
  closeField(client);
  return true;
}

function keepRule(client: TerminalClient, request: Request, typed: string): void {
  const rule = parseRule(typed, request.remember);
  if (rule) client.requests.addToAnswer({ rule });
  else client.showHint("a rule is an action and a resource, such as: command git push *");
}

/** Closes the field and says what the answer will carry. */
function closeField(client: TerminalClient): void {
  const { field } = client.line;
  client.line.closeField();
  const { focus } = client.requests;
  const request = client.requests.focused()?.request;
  if (!focus || !request) return;
  if (field === "note" && focus.note !== undefined) client.notify(`Your answer will carry the note “${focus.note}”.`);
  if (field === "rule" && focus.rule) client.notify(`${digitsThatRemember(request)} will remember: ${ruleText(focus.rule)}`);
}

const digitsThatRemember = ({ choices }: Request): string =>
  choices.flatMap(({ id }, i) => (id === "session" || id === "workspace" ? [String(i + 1)] : [])).join(" and ");

/** Handles a key while a request has the focus. Digits and letters count only in an empty line, and not too early. */
export function handleRequestKey(client: TerminalClient, key: Key, action: KeyAction | undefined): boolean {
  const { focus } = client.requests;
  const request = client.requests.focused()?.request;
  if (!focus || !request) return false;
  const accepted = acceptsKey(focus, performance.now());
  if (action === "cancel") {
    client.later();
    return true;
  }
  if (isTyped(key) && client.line.text === "") return handleFirstCharacter(client, request, key.text, { accepted, byUser: focus.byUser });
  if (key.name === "paste" && client.line.text === "") client.line.setTarget(targetFor(request, accepted));
  return action === "send" && handleSend(client, request);
}

const isTyped = (key: Key): key is Key & { text: string } => key.text !== undefined && key.name !== "paste" && !key.ctrl && !key.alt;

/** Text that the user begins now answers the request if it takes words; otherwise it is a prompt. */
const targetFor = (request: Request, accepted: boolean): string | undefined => (accepted && acceptsText(request) ? request.id : undefined);

type Timing = { accepted: boolean; byUser: boolean };

function handleFirstCharacter(client: TerminalClient, request: Request, text: string, { accepted, byUser }: Timing): boolean {
  const choice = request.choices[Number(text) - 1];
  if (!accepted && (choice || (byUser && isAnswerLetter(request, text)))) {
    client.showHint("too early: press it again");
    return true;
  }
  if (choice) {
    client.give(request, { choice: choice.id });
    return true;
  }
  if (accepted && handleLetter(client, request, text)) return true;
  client.line.setTarget(targetFor(request, accepted));
  return false;
}

function handleSend(client: TerminalClient, request: Request): boolean {
  const { line } = client;
  if (line.text.trim() === "") {
    client.showHint(keyHint(client.style(), "send", "alone answers nothing: press a digit"));
    return true;
  }
  if (!line.answers(request.id) || line.text.endsWith("\\")) return false;
  client.give(request, { text: line.text.trim() });
  line.clear();
  return true;
}

const isAnswerLetter = (request: Request, text: string): boolean => !acceptsText(request) && /^[denv]$/.test(text);

function handleLetter(client: TerminalClient, request: Request, letter: string): boolean {
  if (!isAnswerLetter(request, letter)) return false;
  const { focus } = client.requests;
  const deny = request.choices.find(({ id }) => id === "deny" || id === "stop");
  const rule = focus?.rule ?? request.remember;
  switch (letter) {
    case "d":
      if (deny) client.give(request, { choice: deny.id });
      return deny !== undefined;
    case "n":
      if (!takesNote(request)) return false;
      client.line.openField("note", focus?.note ?? "");
      return true;
    case "e":
      if (rule) client.line.openField("rule", ruleText(rule));
      return rule !== undefined;
    case "v":
      client.print(fullText(request, client.style()));
      return true;
    default:
      return false;
  }
}
