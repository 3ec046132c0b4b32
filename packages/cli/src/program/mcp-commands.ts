import type { Command } from "commander";
import type { AddOptions, Folder } from "../commands/mcp/servers.ts";
import type { InstallOptions } from "../commands/mcp/install.ts";
import type { ServeOptions } from "../commands/mcp/serve.ts";

const collected = (value: string, before: string[]): string[] => [...before, value];

/** MCP servers. */
export function mcpCommands(baton: Command): void {
  const mcp = baton.command("mcp").description("MCP servers: tools from other programs");
  mcp
    .command("list", { isDefault: true })
    .description("list the servers of this folder and how they stand")
    .option("--cwd <folder>")
    .option("--json")
    .action(async (options: Folder) => (await import("../commands/mcp/servers.ts")).listServers(options));
  mcp
    .command("add <name> [command...]")
    .description("add a server to your config: a command after --, or an address")
    .option("--url <address>", "a server that is reached over HTTP")
    .option("--env <name=value>", "a variable for the program; ${NAME} takes one of yours", collected, [])
    .option("--header <name:value>", "a header for the address", collected, [])
    .option("--replace", "in place of one with this name")
    .option("--json")
    .action(async (name: string, command: string[], options: AddOptions) =>
      (await import("../commands/mcp/servers.ts")).addServer(name, command, options),
    );
  mcp
    .command("remove <name>")
    .description("take a server out of your config")
    .option("--json")
    .action(async (name: string, options: { json?: boolean }) => (await import("../commands/mcp/servers.ts")).removeServer(name, options));
  mcp
    .command("test <name>")
    .description("connect to a server now, and say what came of it")
    .option("--cwd <folder>")
    .option("--json")
    .action(async (name: string, options: Folder) => (await import("../commands/mcp/servers.ts")).testServer(name, options));
  mcp
    .command("login <name>")
    .description("log in to a server that is reached over HTTP, in the browser")
    .option("--cwd <folder>")
    .option("--json")
    .action(async (name: string, options: Folder) => (await import("../commands/mcp/servers.ts")).loginServer(name, options));
  mcp
    .command("logs <name>")
    .description("what a server printed and what befell it")
    .option("--cwd <folder>")
    .option("--json")
    .action(async (name: string, options: Folder) => (await import("../commands/mcp/servers.ts")).serverLogs(name, options));
  mcp
    .command("approve <name>")
    .description("show what a server of the project wants, and approve exactly that")
    .option("--yes", "approve it")
    .option("--deny", "refuse it")
    .option("--cwd <folder>")
    .option("--json")
    .action(async (name: string, options: Folder & { yes?: boolean; deny?: boolean }) =>
      (await import("../commands/mcp/servers.ts")).approveServer(name, options),
    );
  mcp
    .command("serve")
    .description("be an MCP server on standard input and output, with the equipped tools")
    .option("--profile <name>")
    .option("--cwd <folder>")
    .action(async (options: ServeOptions) => (await import("../commands/mcp/serve.ts")).serve(options));
  mcp
    .command("install <host>")
    .description("let another agent use the tools: claude, opencode, gemini, codex, cursor or vscode")
    .option("--profile <name>", "toolsets of its own; named like the host when not given")
    .option("--server <name>", "lend this one server as it is, under its own names, instead of toolsets")
    .option("--http", "by address and token instead of a program")
    .option("--move", "with --http: take the profile over from the folder that it serves")
    .option("--write", "write it where the host looks")
    .option("--cwd <folder>")
    .option("--json")
    .action(async (host: string, options: InstallOptions) => (await import("../commands/mcp/install.ts")).install(host, options));
  mcp
    .command("import <file>")
    .description("show the servers of another program's file (Claude Code, Cursor, VS Code, opencode, Gemini, Codex, Zed)")
    .option("--write", "put them into your config")
    .option("--json")
    .action(async (file: string, options: { write?: boolean; json?: boolean }) =>
      (await import("../commands/mcp/servers.ts")).importServers(file, options),
    );
}
