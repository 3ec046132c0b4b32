import type { Command } from "commander";
import type { ToolsetOptions } from "../commands/mcp/toolsets.ts";

/** Defines `baton toolsets`. */
export function toolsetCommands(baton: Command): void {
  const toolsets = baton.command("toolsets").description("manage toolsets: named selections of tools of MCP servers");
  const command = (usage: string, description: string, more: { isDefault?: boolean } = {}) =>
    toolsets
      .command(usage, more)
      .description(description)
      .option("--cwd <folder>", "folder (default: the current one)")
      .option("--profile <name>", "for the clients of this profile")
      .option("--json", "print JSON");
  command("list", "list the toolsets, with missing and changed tools", { isDefault: true }).action(async (options: ToolsetOptions) =>
    (await import("../commands/mcp/toolsets.ts")).listToolsets(options),
  );
  command("tools", "list all tools that a toolset can have")
    .option("--server <name>", "only tools of this server")
    .option("--query <words>", "only tools that match these words")
    .action(async (options: ToolsetOptions & { server?: string; query?: string }) =>
      (await import("../commands/mcp/toolsets.ts")).listTools(options),
    );
  command("build <name> <tools...>", "create a toolset; tools are named server__tool")
    .option("--description <text>", "description of the toolset")
    .option("--replace", "replace a toolset with this name")
    .action(async (name: string, tools: string[], options: ToolsetOptions & { description?: string; replace?: boolean }) =>
      (await import("../commands/mcp/toolsets.ts")).createToolset(name, tools, options),
    );
  command("delete <name>", "delete a toolset").action(async (name: string, options: ToolsetOptions) =>
    (await import("../commands/mcp/toolsets.ts")).deleteToolset(name, options),
  );
  command("equip <name>", "equip a session, all sessions in a mode, or the clients of a profile with a toolset")
    .option("--session <id>", "this session")
    .option("--mode <mode>", "sessions in this mode that have no toolset of their own")
    .option("--accept-changes", "accept tools that changed since the toolset was created")
    .action(async (name: string, options: ToolsetOptions & { acceptChanges?: boolean }) =>
      (await import("../commands/mcp/toolsets.ts")).equipToolsetCommand(name, options),
    );
  command("unequip", "unequip a session (it gets the tools of its mode), a mode (all tools) or a profile (none)")
    .option("--session <id>", "this session")
    .option("--mode <mode>", "sessions in this mode that have no toolset of their own")
    .action(async (options: ToolsetOptions) => (await import("../commands/mcp/toolsets.ts")).unequipToolset(options));
}
