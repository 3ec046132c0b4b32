import { oneLine } from "@baton/core/text/sanitize";
import { newCommandId } from "@baton/core/client/command-links";
import { parseSlash, unknownSlash } from "@baton/core/text/slash-command";
import { cut, contentWidth, hang, type TerminalStyle } from "../../render/layout.ts";
import { sessionLines } from "../../render/screens/sessions.ts";
import { findSession } from "../../connection/find-by-id.ts";
import { runDetached } from "@baton/core/client/run-detached";
import { resolveScriptedModel } from "../../connection/resolve-scripted-model.ts";
import { errorMessage } from "@baton/core/client/errors";
import type { TerminalClient } from "../client.ts";
import { offerRedo, offerUndo } from "./rewind.ts";
import { runCliSlashCommand, cliSlashCommands } from "./cli-slash-commands.ts";

type Slash = { name: string; about: string; run: (client: TerminalClient, argument: string) => Promise<unknown> | void };

/** What can be typed after `/`. */
export const slashCommands: readonly Slash[] = [
  { name: "mode", about: "switch the mode: /mode plan", run: switchMode },
  {
    name: "coordinate",
    about: "let the coordinator weigh another mode: /coordinate why",
    run: (client, reason) => client.outbox.wish({ type: "coordinate", promptId: newCommandId(), ...(reason === "" ? {} : { reason }) }),
  },
  { name: "model", about: "choose the model: /model provider/model", run: chooseModel },
  { name: "sessions", about: "list the sessions, or open one: /sessions ID", run: sessions },
  { name: "new", about: "begin another session here", run: beginAnother },
  { name: "clear", about: "the same as /new", run: beginAnother },
  {
    name: "rename",
    about: "give this session a title: /rename Title",
    run: (client, title) => (title === "" ? client.say("/rename needs a title.") : client.outbox.wish({ type: "rename", title })),
  },
  {
    name: "compact",
    about: "sum up the conversation for the model: /compact what to keep",
    run: (client, note) => client.outbox.wish({ type: "compact", ...(note === "" ? {} : { note }) }),
  },
  { name: "inbox", about: "all that waits for you", run: (client) => client.showInbox() },
  { name: "retry", about: "ask a model that failed again now", run: (client) => client.outbox.wish({ type: "retry" }) },
  { name: "resume", about: "go on with prompts that were held back", run: (client) => client.outbox.wish({ type: "resume" }) },
  { name: "discard", about: "take back prompts that wait or were held back", run: discard },
  { name: "undo", about: "take back what the newest turn did to files", run: offerUndo },
  { name: "redo", about: "bring back what the last undo took from files", run: offerRedo },
  { name: "help", about: "keys and commands", run: (client) => client.print(entriesFor(client).flat()) },
  { name: "quit", about: "leave; the work goes on", run: (client) => client.leave() },
];

/** Does what a line that begins with `/` says; a beginning that fits one command only is enough. */
export async function runSlashCommand(client: TerminalClient, line: string): Promise<void> {
  const { name: typed, args } = parseSlash(line) ?? { name: "", args: "" };
  const fitting = slashCommands.filter(({ name }) => name.startsWith(typed));
  const subcommand = cliSlashCommands.find(({ name }) => name === typed);
  if (subcommand) return runCliSlashCommand(client, subcommand, args);
  const found = slashCommands.find(({ name }) => name === typed) ?? (fitting.length === 1 ? fitting[0] : undefined);
  if (found) return void (await found.run(client, args));
  client.say(
    unknownSlash(
      line,
      availableSlashCommands(client).map(({ name }) => name),
    ) ?? "",
  );
}

function beginAnother(client: TerminalClient): void {
  const before = client.view();
  if (!before) return;
  client.leaveSession();
  client.print([client.look().ink.dim(`── a new session; ${before.id} is kept: /sessions ${before.id}`)]);
}

async function discard(client: TerminalClient): Promise<void> {
  const waiting = client.view()?.state.queue ?? [];
  if (waiting.length === 0) return client.say("No prompt waits.");
  for (const { promptId } of waiting) await client.outbox.wish({ type: "withdrawPrompt", promptId });
  client.say(`Taken back: ${waiting.map(({ text }) => `“${oneLine(text).slice(0, 60)}”`).join(", ")}.`);
}

async function switchMode(client: TerminalClient, mode: string): Promise<void> {
  const known = client.here.modes.map(({ slug }) => slug);
  if (!known.includes(mode))
    return client.say(`${mode === "" ? "Which mode?" : `There is no mode "${mode}".`} The modes are: ${known.join(", ")}.`);
  await client.outbox.switchMode(mode);
}

async function chooseModel(client: TerminalClient, model: string): Promise<void> {
  if (model === "") return client.say(`The model is ${client.outbox.model() ?? "not chosen"}. Choose one as provider/model.`);
  await client.outbox.chooseModel(resolveScriptedModel(model));
}

/** Lists the sessions, and offers the newest to be opened by a digit. */
async function sessions(client: TerminalClient, named: string): Promise<void> {
  const { api } = client.link;
  if (named !== "") return client.openSession((await findSession(api, named)).id);
  const rows = await api.session.list.query({});
  const look = client.look();
  client.print(sessionLines(rows, look));
  const newest = rows.filter(({ id, parentId }) => parentId === null && id !== client.view()?.id).slice(0, MAX_OFFERED);
  if (newest.length === 0) return;
  const lines = newest.map(({ title, id }, i) =>
    cut(`  ${look.ink.bold(String(i + 1))} ${oneLine(title) || "(no prompt yet)"} ${look.ink.dim(id)}`, contentWidth(look)),
  );
  client.offer([look.ink.bold("Open which? /sessions ID opens any."), ...lines], newest.length, (i) => {
    const id = newest[i]?.id;
    if (id !== undefined) runDetached(client.openSession(id), (error) => client.say(errorMessage(error)));
  });
}

const MAX_OFFERED = 9;

/** All that can be typed behind `/` here; of two with one name the one that is meant. */
export function availableSlashCommands(client: TerminalClient): { name: string; about: string }[] {
  const first = [...slashCommands, ...client.here.commands()];
  return [...first, ...cliSlashCommands.filter(({ name }) => first.every((each) => each.name !== name))];
}

const entriesFor = (client: TerminalClient): string[][] => helpEntries(client.look(), availableSlashCommands(client));

/** The blank line above help, and below it another one, the state line and the line to type in. */
const AROUND_HELP = 4;

/** As much of the help as fits on the screen; called again, what comes after. */
export function showNextHelpPage(client: TerminalClient): void {
  const pages = pagesOf(entriesFor(client), client.rows() - AROUND_HELP);
  const { help: presses } = client.presses;
  const page = presses.get() % pages.length;
  client.print(pages[page] ?? []);
  presses.set(page + 1);
  if (pages.length === 1) return;
  client.showHint(page + 1 < pages.length ? `? shows more (${page + 1} of ${pages.length})` : "? begins again");
}

const KEYS: readonly [string, string][] = [
  ["Enter", "sends; queues while it works"],
  ["Alt+Enter", "steers: comes in after the calls that are open"],
  ["\\ Enter, Ctrl+J", "breaks the line, as Shift+Enter does"],
  ["Shift+Tab", "next mode"],
  ["Tab", "next request; completes @ and /"],
  ["1 … 9", "answer the request"],
  ["d  e  n  v", "deny, edit the rule, note, full text (in an approval)"],
  ["Esc", "leaves a request for later; else stops the turn"],
  ["Esc Esc", "goes back to an earlier prompt, with files or without"],
  ["Ctrl+R", "searches what you sent before"],
  ["! command", "runs in your own shell; its output joins your next prompt"],
  ["Ctrl+G", "inbox: all that waits for you"],
  ["Ctrl+O", "all of the last call"],
  ["Up, Down", "what you sent before"],
  ["Ctrl+C twice", "leaves; the work goes on"],
];

const LEFT = 16;

type Command = { name: string; about: string };

/** The keys, and the commands that can be typed, one entry each: the lines that it takes. */
export function helpEntries(look: TerminalStyle, commands: readonly Command[]): string[][] {
  const { ink } = look;
  const entry = (left: string, right: string) =>
    hang(right, `  ${ink.bold(left)}${" ".repeat(Math.max(1, LEFT - left.length))}`, contentWidth(look), { rest: " ".repeat(LEFT + 2) });
  return [...KEYS.map(([key, about]) => entry(key, about)), [""], ...commands.map(({ name, about }) => entry(`/${name}`, about))];
}

/** Whole entries by pages of at most so many lines; an entry that is longer has one of its own. */
export function pagesOf(entries: readonly string[][], most: number): string[][] {
  const pages: string[][] = [[]];
  for (const entry of entries) {
    const page = pages.at(-1) ?? [];
    if (page.length > 0 && page.length + entry.length > most) pages.push(entry.filter((line) => line !== ""));
    else page.push(...entry);
  }
  return pages;
}
