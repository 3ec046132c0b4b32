import type { Command } from "commander";
import type { AddOptions, FolderOptions } from "../commands/mcp/servers.ts";
import type { InstallOptions } from "../commands/mcp/install.ts";
import type { ServeOptions } from "../commands/mcp/serve.ts";

const collected = (value: string, before: string[]): string[] => [...before, value];

/** Defines `baton mcp`. */
export function mcpCommands(baton: Command): void {
  const mcp = baton.command("mcp").description("manage MCP servers, which provide tools");
  mcp
    .command("list", { isDefault: true })
    .description("list the servers of this folder and their state")
    .option("--cwd <folder>", "folder (default: the current one)")
    .option("--json", "print JSON")
    .action(async (options: FolderOptions) => (await import("../commands/mcp/servers.ts")).listServers(options));
  mcp
    .command("add <name> [command...]")
    .description("add a server to your config: a command after --, or an address")
    .option("--url <address>", "connect to a server over HTTP")
    .option("--env <name=value>", "set a variable for the program; ${NAME} takes its value from your environment", collected, [])
    .option("--header <name:value>", "send a header to the address", collected, [])
    .option("--replace", "replace a server with this name")
    .option("--json", "print JSON")
    .action(async (name: string, command: string[], options: AddOptions) =>
      (await import("../commands/mcp/servers.ts")).addServer(name, command, options),
    );
  mcp
    .command("remove <name>")
    .description("remove a server from your config")
    .option("--json", "print JSON")
    .action(async (name: string, options: { json?: boolean }) => (await import("../commands/mcp/servers.ts")).removeServer(name, options));
  mcp
    .command("test <name>")
    .description("connect to a server and print the result")
    .option("--cwd <folder>", "folder (default: the current one)")
    .option("--json", "print JSON")
    .action(async (name: string, options: FolderOptions) => (await import("../commands/mcp/servers.ts")).testServer(name, options));
  mcp
    .command("login <name>")
    .description("log in to an HTTP server in the browser")
    .option("--cwd <folder>", "folder (default: the current one)")
    .option("--json", "print JSON")
    .action(async (name: string, options: FolderOptions) => (await import("../commands/mcp/servers.ts")).loginServer(name, options));
  mcp
    .command("logs <name>")
    .description("print the output and the connection events of a server")
    .option("--cwd <folder>", "folder (default: the current one)")
    .option("--json", "print JSON")
    .action(async (name: string, options: FolderOptions) => (await import("../commands/mcp/servers.ts")).serverLogs(name, options));
  mcp
    .command("approve <name>")
    .description("show the definition of a project's server, and approve it")
    .option("--yes", "approve it")
    .option("--deny", "refuse it")
    .option("--cwd <folder>", "folder (default: the current one)")
    .option("--json", "print JSON")
    .action(async (name: string, options: FolderOptions & { yes?: boolean; deny?: boolean }) =>
      (await import("../commands/mcp/servers.ts")).approveServer(name, options),
    );
  mcp
    .command("serve")
    .description("run an MCP server on standard input and output, with the equipped tools")
    .option("--profile <name>", "profile with its own toolsets")
    .option("--cwd <folder>", "folder (default: the current one)")
    .action(async (options: ServeOptions) => (await import("../commands/mcp/serve.ts")).serve(options));
  mcp
    .command("install <host>")
    .description("configure another agent to use Baton's tools: claude, opencode, gemini, codex, cursor or vscode")
    .option("--profile <name>", "profile with its own toolsets (default: the name of the agent)")
    .option("--server <name>", "provide this one server under its own names instead of toolsets")
    .option("--http", "connect with an address and a token instead of a program")
    .option("--move", "with --http: move the profile from the folder it serves now")
    .option("--write", "write the agent's config file")
    .option("--cwd <folder>", "folder (default: the current one)")
    .option("--json", "print JSON")
    .action(async (host: string, options: InstallOptions) => (await import("../commands/mcp/install.ts")).install(host, options));
  mcp
    .command("import <file>")
    .description("convert the servers of another agent (Claude Code, Cursor, VS Code, opencode, Gemini, Codex, Zed)")
    .option("--write", "add them to your config")
    .option("--json", "print JSON")
    .action(async (file: string, options: { write?: boolean; json?: boolean }) =>
      (await import("../commands/mcp/servers.ts")).importServers(file, options),
    );
}
