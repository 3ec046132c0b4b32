import type { Command } from "commander";
import { kindOfArgument, kindOfOption, type CompletionKind } from "./completion-kinds.ts";

/** One command of the program, for shell completions and the manual. `words`: the words that select it, without the program's name. */
export type CommandInfo = {
  words: string[];
  about: string;
  usage: string;
  options: OptionInfo[];
  subcommands: { name: string; about: string }[];
  /** The kind of name in the first argument. */
  argumentKind?: CompletionKind | undefined;
};

/** `names`: such as `--mode` and `-m`. `choices`: the only values that it takes. `kind`: what its value names. */
export type OptionInfo = {
  names: string[];
  flags: string;
  about: string;
  takesValue: boolean;
  choices: readonly string[];
  kind?: CompletionKind | undefined;
};

/** Every command of the program, parents before their subcommands. */
export function commandTree(command: Command, words: string[] = []): CommandInfo[] {
  const help = command.createHelp();
  const subcommands = help.visibleCommands(command);
  const info: CommandInfo = {
    words,
    about: command.description(),
    usage: help.commandUsage(command),
    options: help.visibleOptions(command).map(({ short, long, flags, description, required, optional, argChoices }) => ({
      names: [short, long].filter((name) => name !== undefined),
      flags,
      about: description === "" && long === "--json" ? "print JSON" : description,
      takesValue: required || optional,
      choices: argChoices ?? [],
      kind: kindOfOption(long),
    })),
    subcommands: subcommands.map((each) => ({ name: each.name(), about: each.description() })),
    argumentKind: kindOfArgument(words.join(" "), command.registeredArguments[0]?.name()),
  };
  const nested = subcommands.filter((each) => each.name() !== "help");
  return [info, ...nested.flatMap((each) => commandTree(each, [...words, each.name()]))];
}
