import { Option, type Command } from "commander";
import type { CreateOptions, EditOptions, TakeOptions } from "../commands/mode/modes-edit.ts";
import type { ExportOptions, Scope } from "../commands/mode/modes-files.ts";

/** Modes and their tools. */
export function modeCommands(baton: Command): void {
  const modes = baton.command("modes").description("modes: list, check, make, change and move them");
  const scope = () => new Option("--scope <scope>", "global: yours, everywhere; project: this folder's").choices(["global", "project"]);
  const set = () => new Option("--set <name=value...>", "fields, as JSON or text");
  const [files, edit] = [() => import("../commands/mode/modes-files.ts"), () => import("../commands/mode/modes-edit.ts")];
  modes
    .command("list", { isDefault: true })
    .description("list the modes of this folder")
    .option("--cwd <folder>")
    .option("--json")
    .action(async (options: { cwd?: string; json?: boolean }) => (await import("../commands/mode/modes.ts")).listModes(options));
  modes
    .command("show <slug>")
    .description("print a mode whole")
    .option("--json")
    .action(async (slug: string, options: { json?: boolean }) => (await import("../commands/mode/modes.ts")).showMode(slug, options));
  modes
    .command("create <slug>")
    .description("make a mode")
    .addOption(scope())
    .option("--from <file>", "begin with the mode in this file, of any format")
    .addOption(set())
    .option("--json")
    .action(async (slug: string, options: CreateOptions) => (await edit()).createMode(slug, options));
  modes
    .command("edit <slug>")
    .description("change fields of a mode, or open its file in your editor")
    .addOption(scope())
    .option("--from <file>", "take the fields from this file")
    .addOption(set())
    .option("--json")
    .action(async (slug: string, options: EditOptions) => (await edit()).editMode(slug, options));
  modes
    .command("delete <slug>")
    .description("take a mode away")
    .addOption(scope())
    .option("--yes", "without asking; without a terminal nobody is asked")
    .option("--json")
    .action(async (slug: string, options: TakeOptions & { yes?: boolean }) => (await edit()).deleteMode(slug, options));
  modes
    .command("restore <slug>")
    .description("restore a built-in mode that a file or the config redefines")
    .addOption(scope())
    .option("--json")
    .action(async (slug: string, options: TakeOptions) => (await edit()).restoreMode(slug, options));
  modes
    .command("validate <files...>")
    .description("say what is wrong with mode files of any format; exit 2 when anything is")
    .option("--json")
    .action(async (given: string[], options: { json?: boolean }) => (await files()).validateModes(given, options));
  modes
    .command("import <files...>")
    .description("copy the modes of files of any format into your own")
    .addOption(scope())
    .option("--overwrite", "also where there is one of that slug")
    .option("--json")
    .action(async (given: string[], options: { scope?: Scope; overwrite?: boolean; json?: boolean }) =>
      (await files()).importModes(given, options),
    );
  modes
    .command("export <slug>")
    .description("print a mode for another program, and say what that could not express")
    .addOption(new Option("--format <format>").choices(["own", "roo", "kilocodemodes", "claude", "opencode"]).default("own"))
    .option("--out <file>", "write it there")
    .option("--json")
    .action(async (slug: string, options: ExportOptions) => (await files()).exportMode(slug, options));
}
