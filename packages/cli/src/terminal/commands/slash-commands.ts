import { oneLine } from "@baton/core/text/sanitize";
import { newCommandId } from "@baton/core/client/command-client";
import { joinWithOr } from "@baton/core/text/format";
import { parseSlash, unknownSlash } from "@baton/core/text/slash-command";
import type { TerminalStyle } from "../../render/layout.ts";
import type { TerminalClient } from "../terminal-client.ts";
import { labelledTextLines } from "../../render/lists/keybinding-list.ts";
import { keybindingHelpLines } from "../keys/keybinding-help.ts";
import { promptKeyRows } from "../keys/key-table.ts";
import { offerRedo, offerUndo } from "./rewind-and-undo.ts";
import { addFolder, removeFolder } from "./add-folder.ts";
import { pickBackgroundCommand } from "./background.ts";
import { copyAnswer } from "./copy.ts";
import { showTranscript } from "./external-programs.ts";
import { showChanges } from "./show-changes.ts";
import { chooseModel, openSession, searchSessions, pickOrSwitchMode } from "./pickers.ts";
import { runCliSlashCommand, cliSlashCommands } from "./baton-subcommands.ts";

type Slash = { name: string; about: string; run: (client: TerminalClient, argument: string) => Promise<unknown> | void };

/** The slash commands of this client. */
export const slashCommands: readonly Slash[] = [
  { name: "mode", about: "pick a mode, or switch to one: /mode plan", run: pickOrSwitchMode },
  {
    name: "coordinate",
    about: "ask the coordinator which mode fits: /coordinate reason",
    run: (client, reason) =>
      client.commandQueue.run({ type: "coordinate", promptId: newCommandId(), ...(reason === "" ? {} : { reason }) }),
  },
  { name: "model", about: "pick a model, or choose one: /model provider/model", run: chooseModel },
  { name: "sessions", about: "pick a session, or open one: /sessions ID", run: openSession },
  { name: "search", about: "find a session by its text and open it: /search words", run: searchSessions },
  { name: "new", about: "start a new session here", run: startNewSession },
  { name: "clear", about: "same as /new", run: startNewSession },
  {
    name: "rename",
    about: "rename this session: /rename Title",
    run: (client, title) => (title === "" ? client.notify("/rename needs a title.") : client.commandQueue.run({ type: "rename", title })),
  },
  {
    name: "compact",
    about: "compact the conversation: /compact what to keep",
    run: (client, note) => client.commandQueue.run({ type: "compact", ...(note === "" ? {} : { note }) }),
  },
  {
    name: "accept-edits",
    about: "accept edits in this session without asking, or ask again",
    run: (client) => client.commandQueue.toggleAcceptEdits(),
  },
  { name: "ask-again", about: "revoke everything that was allowed for this session only", run: (client) => client.commandQueue.askAgain() },
  { name: "inbox", about: "list open requests", run: (client) => client.showInbox() },
  { name: "add-dir", about: "work in another folder too: /add-dir PATH", run: (client, path) => addFolder(client, path, false) },
  { name: "read-dir", about: "read another folder too: /read-dir PATH", run: (client, path) => addFolder(client, path, true) },
  { name: "remove-dir", about: "take a folder away: /remove-dir PATH", run: removeFolder },
  { name: "retry", about: "retry a failed model request now", run: (client) => client.commandQueue.run({ type: "retry" }) },
  { name: "resume", about: "send the prompts that a stop held back", run: (client) => client.commandQueue.run({ type: "resume" }) },
  { name: "discard", about: "discard the prompts that are queued or held back", run: discard },
  { name: "undo", about: "undo the file changes of the newest turn", run: offerUndo },
  { name: "redo", about: "redo the last undo", run: offerRedo },
  { name: "copy", about: "copy the last answer, or its last code block: /copy code", run: copyAnswer },
  { name: "diff", about: "show what this session changed, or the last turn: /diff turn", run: showChanges },
  { name: "background", about: "follow or stop commands that run in the background", run: pickBackgroundCommand },
  { name: "transcript", about: "show the whole session in your pager", run: showTranscript },
  { name: "help", about: "show keys and commands", run: (client) => client.print(entriesFor(client).flat()) },
  { name: "keys", about: "show all keys of the terminal", run: (client) => client.print(keybindingHelpLines(client.style())) },
  { name: "quit", about: "leave; the turn continues", run: (client) => client.leave() },
];

/** Runs a slash command. An unambiguous start of its name is enough. */
export async function runTypedSlashCommand(client: TerminalClient, line: string): Promise<void> {
  const { name: typed, args } = parseSlash(line) ?? { name: "", args: "" };
  const fitting = slashCommands.filter(({ name }) => name.startsWith(typed));
  const subcommand = cliSlashCommands.find(({ name }) => name === typed);
  if (subcommand) return runCliSlashCommand(client, subcommand, args);
  const found = slashCommands.find(({ name }) => name === typed) ?? (fitting.length === 1 ? fitting[0] : undefined);
  if (found) return void (await found.run(client, args));
  if (fitting.length > 1 && typed !== "")
    return client.notify(`/${typed} is the start of ${joinWithOr(fitting.map(({ name }) => `/${name}`))}. Type more of it.`);
  await client.here.learnCommands(); // the user may have typed before they were known, or have added one since
  if (client.here.commands().some(({ name }) => name === typed)) return client.commandQueue.send(line, "queue");
  client.notify(
    unknownSlash(
      line,
      availableSlashCommands(client).map(({ name }) => name),
    ) ?? "",
  );
}

function startNewSession(client: TerminalClient): void {
  const before = client.view();
  if (!before) return;
  client.leaveSession();
  client.print([client.style().ansi.dim(`── a new session; ${before.id} is kept: /sessions ${before.id}`)]);
}

async function discard(client: TerminalClient): Promise<void> {
  const waiting = client.view()?.state.queue ?? [];
  if (waiting.length === 0) return client.notify("No prompt is queued.");
  for (const { promptId } of waiting) await client.commandQueue.run({ type: "withdrawPrompt", promptId });
  client.notify(`Discarded: ${waiting.map(({ text }) => `“${oneLine(text).slice(0, 60)}”`).join(", ")}.`);
}

/** All slash commands. Of two with the same name, the first one wins. */
export function availableSlashCommands(client: TerminalClient): { name: string; about: string }[] {
  const first = [...slashCommands, ...client.here.commands()];
  return [...first, ...cliSlashCommands.filter(({ name }) => first.every((each) => each.name !== name))];
}

const entriesFor = (client: TerminalClient): string[][] => helpEntries(client.style(), availableSlashCommands(client));

/** Rows around the help: two empty lines, the status line and the prompt. */
const AROUND_HELP = 4;

/** Shows as much of the help as fits the screen; called again, the next page. */
export function showNextHelpPage(client: TerminalClient): void {
  const pages = splitPages(entriesFor(client), client.rows() - AROUND_HELP);
  const { help: presses } = client.presses;
  const page = presses.get() % pages.length;
  client.print(pages[page] ?? []);
  presses.set(page + 1);
  if (pages.length === 1) return;
  client.showHint(page + 1 < pages.length ? `? shows more (${page + 1} of ${pages.length})` : "? begins again");
}

const LEFT = 16;

type Command = { name: string; about: string };

/** The keys and slash commands, one entry each. */
export function helpEntries(style: TerminalStyle, commands: readonly Command[]): string[][] {
  const entry = (name: string, about: string) => labelledTextLines(name, about, style, LEFT);
  return [
    ...promptKeyRows(style.keys).map(([keys, about]) => entry(keys, about)),
    [""],
    ...commands.map(({ name, about }) => entry(`/${name}`, about)),
  ];
}

/** Splits entries into pages of at most `most` lines. A longer entry gets a page of its own. */
export function splitPages(entries: readonly string[][], most: number): string[][] {
  const pages: string[][] = [[]];
  for (const entry of entries) {
    const page = pages.at(-1) ?? [];
    if (page.length > 0 && page.length + entry.length > most) pages.push(entry.filter((line) => line !== ""));
    else page.push(...entry);
  }
  return pages;
}
