import { examples } from "../../../packages/cli/src/program/examples.ts";
import { commands } from "../../../packages/cli/src/program/program.ts";
import { block, code, codes, sentence, table } from "../markdown.ts";
import type { Page } from "./page.ts";

type Command = ReturnType<typeof commands>;
type Option = Command["options"][number];

/** Every command with its arguments, options and examples. */
export function commandsPage(): Page {
  const baton = commands();
  const all = flatten(baton, "baton");
  return {
    file: "commands.md",
    title: "Commands",
    about:
      "All commands of the `baton` program. `baton COMMAND --help` shows the same in the terminal. [Exit codes](exit-codes.md) are on a page of their own.",
    parts: [
      table(
        ["command", "purpose"],
        all.map(({ path, command }) => [`[${code(path)}](#${path.replaceAll(" ", "-")})`, command.description()]),
      ),
      ...all.flatMap(section),
    ],
  };
}

type Named = { path: string; command: Command };

const flatten = (command: Command, path: string): Named[] => [
  { path, command },
  ...command.commands.flatMap((child) => flatten(child, `${path} ${child.name()}`)),
];

function section({ path, command }: Named): string[] {
  const own = examples[path] ?? [];
  return [
    `## ${path}`,
    sentence(command.description()),
    block([usageLine(path, command)]),
    ...(command.options.length > 0 ? [table(["option", "meaning", "default"], command.options.map(optionRow))] : []),
    ...(own.length > 0
      ? [
          block(
            own.flatMap(({ line, about }) => [`# ${about}`, line]),
            "sh",
          ),
        ]
      : []),
  ];
}

function usageLine(path: string, { registeredArguments, commands: children, options }: Command): string {
  const words = registeredArguments.map((argument) => {
    const name = `${argument.name()}${argument.variadic ? "..." : ""}`;
    return argument.required ? `<${name}>` : `[${name}]`;
  });
  return [path, ...(options.length > 0 ? ["[options]"] : []), ...words, ...(children.length > 0 ? ["[command]"] : [])].join(" ");
}

function optionRow({ flags, description, argChoices, defaultValue }: Option): string[] {
  const [about = "", said] = description.split(/ \(default: ([^()]*)\)$/);
  const isEmpty = defaultValue === undefined || (Array.isArray(defaultValue) && defaultValue.length === 0) || defaultValue === true;
  const choices = argChoices ? `: ${codes(argChoices)}` : "";
  return [code(flags), `${about}${choices}`, said ?? (isEmpty ? "" : String(defaultValue))];
}
