import { readFileSync } from "node:fs";
import type { Command } from "commander";
import { withConnection } from "../../connection/daemon-connection.ts";
import { fetchKeyBindings } from "../../connection/terminal-settings.ts";
import { keybindingHelpLines } from "../../terminal/keys/keybinding-help.ts";
import { usageError } from "../../connection/exit-codes.ts";
import { contentWidth, type TerminalStyle } from "../../render/layout.ts";
import { markdown } from "../../render/markdown.ts";
import { printLines, terminalStyle } from "../output.ts";
import { pageForTerminal } from "./help-page-markdown.ts";
import { findTopic, readTopics, suggestTopics, type Topic } from "./read-topics.ts";

/** Prints a page of the documentation, the list of pages, or the help of a command. */
export async function help(words: readonly string[], baton: Command): Promise<void> {
  const style = terminalStyle();
  const name = words.join(" ");
  if (name === "") return baton.outputHelp();
  const topics = readTopics();
  if (name === "keys") return printLines(await keysPage(style));
  if (name === "topics") return printLines(topicLines(topics, style));
  const topic = words.length === 1 ? findTopic(name, topics) : undefined;
  const command = findCommand(words, baton);
  if (topic) return printLines([...pageLines(topic, style), ...(command ? ["", optionsHint(command, style)] : [])]);
  if (command) return command.outputHelp();
  throw usageError(unknownTopic(name, topics, baton));
}

/** The keys that are in effect. Without a daemon these are the default keys. */
async function keysPage(style: TerminalStyle): Promise<string[]> {
  const keys = await withConnection(({ api }) => fetchKeyBindings(api)).catch(() => undefined);
  const note = keys === undefined ? ["The daemon is not available, so these are the default keys.", ""] : [];
  return [
    ...note,
    ...keybindingHelpLines({ ...style, keys: keys ?? style.keys }),
    style.ansi.dim("`baton help reference/keys` also has the keys of the page."),
  ];
}

const optionsHint = (command: Command, style: TerminalStyle): string =>
  style.ansi.dim(`\`baton ${command.name()} --help\` shows the options of the command.`);

const unknownTopic = (name: string, topics: readonly Topic[], baton: Command): string => {
  const names = new Set([...topics.map((topic) => topic.name), ...baton.commands.map((command) => command.name())]);
  const nearest = suggestTopics(name, [...names]);
  const hint = nearest.length === 0 ? "" : ` Did you mean ${nearest.map((each) => `\`baton help ${each}\``).join(" or ")}?`;
  return `There is no page or command ${JSON.stringify(name)}.${hint} \`baton help topics\` lists the pages.`;
};

/** The command that the words name, if all of them are names of commands. */
function findCommand(words: readonly string[], baton: Command): Command | undefined {
  let command: Command | undefined = baton;
  for (const word of words) command = command?.commands.find((each) => each.name() === word);
  return command;
}

const LEFT = 26;

/** The pages by folder. */
export function topicLines(topics: readonly Topic[], { ansi }: TerminalStyle): string[] {
  const folders = Map.groupBy(topics, ({ name }) => name.split("/").slice(0, -1).join("/"));
  const lines = [...folders].flatMap(([folder, pages]) => [
    "",
    ansi.bold(folder === "" ? "manual" : folder),
    ...pages.map(({ name, title }) => `  ${name.padEnd(LEFT)} ${title}`),
  ]);
  return ["`baton help NAME` prints a page.", ...lines];
}

/** The text of a page for the terminal. */
export const pageLines = ({ file, name }: Topic, style: TerminalStyle): string[] =>
  markdown(
    pageForTerminal(readFileSync(file, "utf8"), name).trimEnd(),
    style,
    Math.min(contentWidth(style), MAX_COLUMNS),
    contentWidth(style),
  );

const MAX_COLUMNS = 100;
