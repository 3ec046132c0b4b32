import { Option, type Command } from "commander";
import type { CreateOptions, EditOptions, DeleteOptions } from "../commands/mode/modes-edit.ts";
import type { ExportOptions, Scope } from "../commands/mode/modes-files.ts";

/** Defines `baton modes`. */
export function modeCommands(baton: Command): void {
  const modes = baton.command("modes").description("manage modes");
  const scope = () =>
    new Option("--scope <scope>", "global: for you in every folder; project: for this folder").choices(["global", "project"]);
  const set = () => new Option("--set <name=value...>", "fields, as JSON or text");
  const [files, edit] = [() => import("../commands/mode/modes-files.ts"), () => import("../commands/mode/modes-edit.ts")];
  modes
    .command("list", { isDefault: true })
    .description("list the modes of this folder")
    .option("--cwd <folder>", "folder (default: the current one)")
    .option("--json", "print JSON")
    .action(async (options: { cwd?: string; json?: boolean }) => (await import("../commands/mode/modes.ts")).listModes(options));
  modes
    .command("show <slug>")
    .description("print all fields of a mode")
    .option("--json", "print JSON")
    .action(async (slug: string, options: { json?: boolean }) => (await import("../commands/mode/modes.ts")).showMode(slug, options));
  modes
    .command("create <slug>")
    .description("create a mode")
    .addOption(scope())
    .option("--from <file>", "start from the mode in this file, of any format")
    .addOption(set())
    .option("--json", "print JSON")
    .action(async (slug: string, options: CreateOptions) => (await edit()).createMode(slug, options));
  modes
    .command("edit <slug>")
    .description("change fields of a mode, or open its file in your editor")
    .addOption(scope())
    .option("--from <file>", "take the fields from this file")
    .addOption(set())
    .option("--json", "print JSON")
    .action(async (slug: string, options: EditOptions) => (await edit()).editMode(slug, options));
  modes
    .command("delete <slug>")
    .description("delete a mode")
    .addOption(scope())
    .option("--yes", "do not ask; without a terminal it never asks")
    .option("--json", "print JSON")
    .action(async (slug: string, options: DeleteOptions & { yes?: boolean }) => (await edit()).deleteMode(slug, options));
  modes
    .command("restore <slug>")
    .description("restore a built-in mode that a file or the config overrides")
    .addOption(scope())
    .option("--json", "print JSON")
    .action(async (slug: string, options: DeleteOptions) => (await edit()).restoreMode(slug, options));
  modes
    .command("validate <files...>")
    .description("check mode files of any format; exit 2 if one has an error")
    .option("--json", "print JSON")
    .action(async (paths: string[], options: { json?: boolean }) => (await files()).validateModes(paths, options));
  modes
    .command("import <files...>")
    .description("import modes from files of any format")
    .addOption(scope())
    .option("--overwrite", "overwrite modes with the same slug")
    .option("--json", "print JSON")
    .action(async (paths: string[], options: { scope?: Scope; overwrite?: boolean; json?: boolean }) =>
      (await files()).importModes(paths, options),
    );
  modes
    .command("export <slug>")
    .description("convert a mode for another agent, and list what cannot be converted")
    .addOption(
      new Option("--format <format>", "format of the other agent")
        .choices(["own", "roo", "kilocodemodes", "claude", "opencode"])
        .default("own"),
    )
    .option("--out <file>", "write to this file")
    .option("--json", "print JSON")
    .action(async (slug: string, options: ExportOptions) => (await files()).exportMode(slug, options));
}
