import type { Command } from "commander";
import type { ToolsetOptions } from "../commands/mcp/toolsets.ts";

/** Named selections of the tools of MCP servers. */
export function toolsetCommands(baton: Command): void {
  const toolsets = baton.command("toolsets").description("named selections of the tools of MCP servers");
  const command = (usage: string, description: string, more: { isDefault?: boolean } = {}) =>
    toolsets
      .command(usage, more)
      .description(description)
      .option("--cwd <folder>")
      .option("--profile <name>", "for the clients of this profile of the endpoint")
      .option("--json");
  command("list", "list those that were built, and what is missing of them", { isDefault: true }).action(async (options: ToolsetOptions) =>
    (await import("../commands/mcp/toolsets.ts")).listToolsets(options),
  );
  command("tools", "list all tools that can be chosen")
    .option("--server <name>")
    .option("--query <words>")
    .action(async (options: ToolsetOptions & { server?: string; query?: string }) =>
      (await import("../commands/mcp/toolsets.ts")).listTools(options),
    );
  command("build <name> <tools...>", "keep a selection: names as server__tool")
    .option("--description <text>")
    .option("--replace", "in place of one with this name")
    .action(async (name: string, tools: string[], options: ToolsetOptions & { description?: string; replace?: boolean }) =>
      (await import("../commands/mcp/toolsets.ts")).buildToolset(name, tools, options),
    );
  command("delete <name>", "remove one for good").action(async (name: string, options: ToolsetOptions) =>
    (await import("../commands/mcp/toolsets.ts")).deleteToolset(name, options),
  );
  command("equip <name>", "give one to a session, to all sessions in a mode, or to the clients of a profile")
    .option("--session <id>")
    .option("--mode <mode>", "to sessions in it that were given none of their own")
    .option("--accept-changes", "take tools that changed since as they are now")
    .action(async (name: string, options: ToolsetOptions & { acceptChanges?: boolean }) =>
      (await import("../commands/mcp/toolsets.ts")).equipToolset(name, options),
    );
  command("unequip", "give a session what its mode has again, a mode all tools, or the clients of a profile none")
    .option("--session <id>")
    .option("--mode <mode>")
    .action(async (options: ToolsetOptions) => (await import("../commands/mcp/toolsets.ts")).unequipToolset(options));
}
