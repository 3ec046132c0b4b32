import path from "node:path";
import { knownFormatters } from "./known-formatters.ts";

/** One formatter in the setting `formatter`. A known formatter needs no `command` and no `extensions`. */
type FormatterSettings = {
  disabled?: boolean | undefined;
  command?: readonly string[] | undefined;
  extensions?: readonly string[] | undefined;
  environment?: Readonly<Record<string, string>> | undefined;
};

/** The command of a formatter for one file. */
export type FormatterCommand = { name: string; program: string; args: readonly string[]; env: Readonly<Record<string, string>> };

/** The first formatter of the settings for a file. */
export function findFormatter(file: string, settings: Readonly<Record<string, FormatterSettings>>): FormatterCommand | undefined {
  const extension = path.extname(file).toLowerCase();
  for (const [name, { disabled = false, environment: env = {}, ...own }] of Object.entries(settings)) {
    const known = knownFormatters.find((each) => each.name === name);
    const [program, ...args] = own.command ?? known?.command ?? [];
    const extensions = own.extensions ?? known?.extensions ?? [];
    if (disabled || program === undefined || !extensions.includes(extension)) continue;
    return { name, program, args: args.map((arg) => arg.replaceAll("$FILE", file)), env };
  }
  return undefined;
}
