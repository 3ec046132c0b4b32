import { existsSync } from "node:fs";
import { closestMatch } from "@baton/core/text/closest-match";
import type { Command } from "commander";
import { usage } from "../connection/exit-codes.ts";

/**
 * Throws when the first word is neither a command nor a folder, with what was likely meant; or when the word behind a
 * command is none of those that it has.
 */
export function rejectUnknownCommand([word, next]: readonly (string | undefined)[], { commands }: Command): void {
  if (!isWord(word)) return;
  const found = commands.find((command) => command.name() === word);
  if (found) return refuseBelow(found, next);
  if (word !== "help" && !existsSync(word)) throw usage(`${unknown(word)} ${meantBy(word, namesOf(commands))}`);
}

const unknown = (word: string): string => `There is no command ${JSON.stringify(word)}, nor a folder of that name.`;

function meantBy(word: string, names: readonly string[]): string {
  if (/\s/.test(word)) return "`baton run` takes a prompt, and so does the line that `baton` opens.";
  const meant = closestMatch(word, names);
  return meant === undefined ? "`baton --help` lists the commands." : `Did you mean \`baton ${meant}\`?`;
}

function refuseBelow(command: Command, word: string | undefined): void {
  const names = namesOf(command.commands);
  if (command.commands.length === 0 || !isWord(word) || names.includes(word)) return;
  const meant = closestMatch(word, names);
  const hint = meant === undefined ? `It has: ${names.join(", ")}.` : `Did you mean \`baton ${command.name()} ${meant}\`?`;
  throw usage(`There is no command \`baton ${command.name()} ${word}\`. ${hint}`);
}

/** No option, and no path. */
const isWord = (word: string | undefined): word is string => word !== undefined && !word.startsWith("-") && !/[\\/.]/.test(word);

const namesOf = (commands: readonly Command[]): string[] => [...commands.map((command) => command.name()), "help"];
