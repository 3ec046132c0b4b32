import { existsSync } from "node:fs";
import { closestMatch } from "@baton/core/text/closest-match";
import type { Command } from "commander";
import { findTopic, readTopics } from "../commands/help/read-topics.ts";
import { usageError } from "../connection/exit-codes.ts";

/**
 * Throws if the first word is neither a command nor a folder, or if the second word is not a subcommand. The error suggests
 * the closest name.
 */
export function rejectUnknownCommand([word, next]: readonly (string | undefined)[], { commands }: Command): void {
  if (!isWord(word)) return;
  const found = commands.find((command) => command.name() === word);
  if (found) return rejectUnknownSubcommand(found, next);
  if (word !== "help" && !existsSync(word) && !isFirstPrompt(word))
    throw usageError(`${unknown(word)} ${hintFor(word, commandNames(commands))}`);
}

const unknown = (word: string): string => `There is no command ${JSON.stringify(word)}, and no folder with that name.`;

/** Whether the first argument is a prompt: several words that name no folder. One word may be a mistyped command. */
export const isFirstPrompt = (word: string): boolean => /\s/.test(word.trim()) && !existsSync(word);

function hintFor(word: string, names: readonly string[]): string {
  const topic = findTopic(word, readTopics());
  if (topic) return `\`baton help ${word}\` prints the page about it.`;
  const suggestion = closestMatch(word, names);
  return suggestion === undefined ? "`baton --help` lists the commands." : `Did you mean \`baton ${suggestion}\`?`;
}

function rejectUnknownSubcommand(command: Command, word: string | undefined): void {
  const names = commandNames(command.commands);
  if (command.commands.length === 0 || !isWord(word) || names.includes(word)) return;
  const suggestion = closestMatch(word, names);
  if (suggestion === undefined && listTakes(command)) return;
  const hint = suggestion === undefined ? `It has: ${names.join(", ")}.` : `Did you mean \`baton ${command.name()} ${suggestion}\`?`;
  throw usageError(`There is no command \`baton ${command.name()} ${word}\`. ${hint}`);
}

/** Whether a word can be the argument of `list`, which runs without its name. */
const listTakes = ({ commands }: Command): boolean =>
  commands.some((command) => command.name() === "list" && command.registeredArguments.length > 0);

/** Neither an option nor a path. */
const isWord = (word: string | undefined): word is string => word !== undefined && !word.startsWith("-") && !/[\\/.]/.test(word);

const commandNames = (commands: readonly Command[]): string[] => [...commands.map((command) => command.name()), "help"];
