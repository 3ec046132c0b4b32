import type { Command } from "commander";
import type { AddOptions } from "../commands/plugin/add-plugin.ts";

/** Defines `baton plugins`. */
export function pluginCommands(baton: Command): void {
  const add = () => import("../commands/plugin/add-plugin.ts");
  const code = () => import("../commands/plugin/plugins.ts");
  const plugins = baton
    .command("plugins")
    .description("add, list and update plugins: skills, commands, modes, hooks and servers of others");
  plugins
    .command("list", { isDefault: true })
    .description("list the installed plugins, and whether this folder uses them")
    .option("--json", "print JSON")
    .action(async (options: { json?: boolean }) => (await code()).listPlugins(options));
  plugins
    .command("show <plugin>")
    .description("show what a plugin contains, with its exact commands")
    .option("--json", "print JSON")
    .action(async (name: string, options: { json?: boolean }) => (await code()).showPlugin(name, options));
  plugins
    .command("add <source>")
    .description("fetch a plugin from a folder, a git address, npm or a marketplace, show its contents, and install it if you approve them")
    .option("--yes <hash>", "approve without a question, if the contents have this hash")
    .option("--unused", "use it only where a project asks for it")
    .option("--json", "print JSON")
    .action(async (source: string, options: AddOptions) => (await add()).addPlugin(source, options));
  plugins
    .command("update <plugin>")
    .description("fetch a plugin again, show what has changed, and install it if you approve that")
    .option("--yes <hash>", "approve without a question, if the contents have this hash")
    .option("--json", "print JSON")
    .action(async (name: string, options: AddOptions) => (await add()).updatePlugin(name, options));
  plugins
    .command("enable <plugin>")
    .description("use a plugin in all folders, in all modes or in some")
    .option("--mode <mode...>", "use it only in these modes")
    .option("--json", "print JSON")
    .action(async (name: string, options: { json?: boolean; mode?: string[] }) => (await code()).usePlugin(name, true, options));
  plugins
    .command("disable <plugin>")
    .description("use a plugin in no folder")
    .option("--json", "print JSON")
    .action(async (name: string, options: { json?: boolean }) => (await code()).usePlugin(name, false, options));
  plugins
    .command("remove <plugin>")
    .description("remove a plugin with its files, its data and its setting")
    .option("--json", "print JSON")
    .action(async (name: string, options: { json?: boolean }) => (await code()).removePlugin(name, options));
}
