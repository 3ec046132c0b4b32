import type { Command } from "commander";
import type { ToolsOptions } from "../commands/permission/list-mode-tools.ts";
import type { CheckOptions } from "../commands/permission/permissions-check.ts";
import { resolveScriptedModel } from "../connection/resolve-scripted-model.ts";
import type { AuditOptions } from "../commands/permission/audit.ts";
import { parseDate } from "./option/parse-date.ts";
import type { TrustOptions } from "../commands/permission/trust.ts";

const CHECK_EXITS = `
Exit codes: 0 there is a verdict, whichever it is (with --stdin: one line for each query, {"error"} for an invalid one);
2 the query is invalid, for example if the action does not exist; 5 the daemon is not available.`;

/** Defines `baton trust`, `environment`, `tools` and `permissions`. */
export function securityCommands(baton: Command): void {
  trustCommand(baton);
  environmentCommand(baton);
  auditCommand(baton);
  const toolCommands = baton.command("tools").description("list the tools of a mode, and decide about script tools");
  toolCommands
    .command("list", { isDefault: true })
    .description("list the tools of a mode, why the mode does not offer others, and the script tools")
    .option("--mode <mode>", "mode (default: the default mode)")
    .option("--model <model>", "for this model", resolveScriptedModel)
    .option("--cwd <folder>", "folder (default: the current one)")
    .option("--json", "print JSON")
    .action(async (options: ToolsOptions) => (await import("../commands/permission/list-mode-tools.ts")).listModeTools(options));
  for (const [name, about] of [
    ["approve", "let the agent use script tools, by name or start of their hash; without a name, all undecided ones of this folder"],
    ["refuse", "never use script tools, by name or start of their hash; without a name, all undecided ones of this folder"],
  ] as const)
    toolCommands
      .command(`${name} [tool...]`)
      .description(about)
      .option("--json", "print JSON")
      .action(async (starts: string[], options: { json?: boolean }) =>
        (await import("../commands/permission/script-tool-approval.ts")).setToolApproval(starts, name === "approve", options),
      );

  const permissions = baton.command("permissions").description("show what agents may do, and which rule decides");
  permissions
    .command("list", { isDefault: true })
    .description("list the rules in order; the last match decides")
    .option("--mode <mode>", "mode (default: the default mode)")
    .option("--cwd <folder>", "folder (default: the current one)")
    .option("--json", "print JSON")
    .action(async (options: { mode?: string; cwd?: string; json?: boolean }) =>
      (await import("../commands/permission/permissions.ts")).listRules(options),
    );
  permissions
    .command("check")
    .description("show what would happen; runs nothing")
    .addHelpText("after", CHECK_EXITS)
    .option("--tool <tool>", "check a call of this tool")
    .option("--input <json>", "with these arguments")
    .option("--action <action>", "check one access: read, edit, command, fetch ... or the name of a tool")
    .option("--resource <resource>", "of this path, command, address or name")
    .option("--mode <mode>", "mode (default: the default mode)")
    .option("--cwd <folder>", "folder (default: the current one)")
    .option("--rules <file>", "add the rules of this file")
    .option("--only-rules", "ignore defaults, modes and ceilings")
    .option("--stdin", "read one query per line, print one answer per line")
    .option("--json", "print JSON")
    .action(async (options: CheckOptions) => (await import("../commands/permission/permissions-check.ts")).check(options));
  permissions
    .command("grants")
    .description("list the grants of this folder")
    .option("--cwd <folder>", "folder (default: the current one)")
    .option("--json", "print JSON")
    .action(async (options: { cwd?: string; json?: boolean }) =>
      (await import("../commands/permission/permissions.ts")).listGrants(options),
    );
  permissions
    .command("import <file>")
    .description("convert the rules of opencode, Kilo or Claude Code")
    .option("--write", "add them to your config, before your own rules")
    .option("--everywhere", "also import what a project's file allows; it then applies to all projects")
    .option("--json", "print JSON")
    .action(async (file: string, options: { write?: boolean; everywhere?: boolean; json?: boolean }) =>
      (await import("../commands/permission/permissions.ts")).importRules(file, options),
    );
  permissions
    .command("revoke <id>")
    .description("revoke a grant")
    .option("--cwd <folder>", "folder (default: the current one)")
    .option("--json", "print JSON")
    .action(async (id: string, options: { cwd?: string; json?: boolean }) =>
      (await import("../commands/permission/permissions.ts")).revokeGrant(id, options),
    );
}

function auditCommand(baton: Command): void {
  baton
    .command("audit")
    .description("list who allowed or denied what, by which rule or answer, in all sessions")
    .option("--here", "only sessions of this folder")
    .option("--session <session>", "only this session")
    .option("--since <date>", "only since this date, such as 2026-11-24, or the last days or hours, such as 7d", parseDate)
    .option("--until <date>", "only before this date", parseDate)
    .option("--csv", "print comma-separated values")
    .option("--json", "print JSON, one decision per line")
    .action(async (options: AuditOptions) => (await import("../commands/permission/audit.ts")).audit(options));
}

function environmentCommand(baton: Command): void {
  const code = () => import("../commands/permission/dev-environment.ts");
  const environment = baton.command("environment").description("show or choose the environment that commands of agents get in this folder");
  environment
    .command("show", { isDefault: true })
    .description("list the environments of this folder, and whether commands use them")
    .option("--json", "print JSON")
    .action(async (options: { json?: boolean }) => (await code()).showEnvironment(options));
  environment
    .command("use [tool...]")
    .description("let commands use direnv, mise, nvm or venv, or all that were found; this approves their files as they are now")
    .option("--json", "print JSON")
    .action(async (tools: string[], options: { json?: boolean }) => (await code()).enableEnvironment(tools, options));
  environment
    .command("off")
    .description("run commands without an environment")
    .option("--ask", "forget the choice, so Baton offers it again")
    .option("--json", "print JSON")
    .action(async (options: { json?: boolean; ask?: boolean }) => (await code()).disableEnvironment(options));
}

function trustCommand(baton: Command): void {
  baton
    .command("trust [folder]")
    .description("trust a folder: use its own modes, rules and instructions")
    .option("--restrict", "do not trust the folder")
    .option("--status", "only show the state")
    .option("--json", "print JSON")
    .action(async (folder: string | undefined, options: TrustOptions) =>
      (await import("../commands/permission/trust.ts")).trust(folder ?? ".", options),
    );
}
