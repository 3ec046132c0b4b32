import type { Command } from "commander";
import type { ToolsOptions } from "../commands/permission/tools.ts";
import type { CheckOptions } from "../commands/permission/permissions-check.ts";
import { resolveScriptedModel } from "../connection/resolve-scripted-model.ts";
import type { TrustOptions } from "../commands/permission/trust.ts";

const CHECK_EXITS = `
Exit codes: 0 there is an answer, whichever of allow, ask and deny (with --stdin: one for each line, {"error"} for a line
that is no question); 2 it is no question, such as an action that there is not; 5 no daemon.`;

/** What agents may do, and who said so. */
export function permissionCommands(baton: Command): void {
  trustCommand(baton);
  baton
    .command("tools")
    .description("list the tools of a mode, and why others are not offered")
    .option("--mode <mode>")
    .option("--model <model>", "as it is for this model", resolveScriptedModel)
    .option("--cwd <folder>")
    .option("--json")
    .action(async (options: ToolsOptions) => (await import("../commands/permission/tools.ts")).tools(options));

  const permissions = baton.command("permissions").description("what may be done, and which rule says so");
  permissions
    .command("list", { isDefault: true })
    .description("list the rules in their order: the last that matches decides")
    .option("--mode <mode>")
    .option("--cwd <folder>")
    .option("--json")
    .action(async (options: { mode?: string; cwd?: string; json?: boolean }) =>
      (await import("../commands/permission/permissions.ts")).listRules(options),
    );
  permissions
    .command("check")
    .description("ask what would happen; runs nothing")
    .addHelpText("after", CHECK_EXITS)
    .option("--tool <tool>", "a call of this tool")
    .option("--input <json>", "with these arguments")
    .option("--action <action>", "or one access: read, edit, command, fetch ... or a tool's own name")
    .option("--resource <resource>", "of this path, command text, address or name")
    .option("--mode <mode>")
    .option("--cwd <folder>")
    .option("--rules <file>", "rules on top of the configured ones")
    .option("--only-rules", "leave out defaults, modes and ceilings")
    .option("--stdin", "one question per line, one answer per line")
    .option("--json")
    .action(async (options: CheckOptions) => (await import("../commands/permission/permissions-check.ts")).check(options));
  permissions
    .command("grants")
    .description("list what is granted to this folder")
    .option("--cwd <folder>")
    .option("--json")
    .action(async (options: { cwd?: string; json?: boolean }) =>
      (await import("../commands/permission/permissions.ts")).listGrants(options),
    );
  permissions
    .command("import <file>")
    .description("show the rules of opencode, Kilo or Claude Code in our words")
    .option("--write", "put them into your config, before your own rules")
    .option("--everywhere", "with what the file of one project allows, which then counts in all")
    .option("--json")
    .action(async (file: string, options: { write?: boolean; everywhere?: boolean; json?: boolean }) =>
      (await import("../commands/permission/permissions.ts")).importRules(file, options),
    );
  permissions
    .command("revoke <id>")
    .description("take a grant back")
    .option("--cwd <folder>")
    .option("--json")
    .action(async (id: string, options: { cwd?: string; json?: boolean }) =>
      (await import("../commands/permission/permissions.ts")).revokeGrant(id, options),
    );
}

function trustCommand(baton: Command): void {
  baton
    .command("trust [folder]")
    .description("let a folder's own modes, rules and instructions count")
    .option("--restrict", "do not trust it")
    .option("--status", "only say how it stands")
    .option("--json")
    .action(async (folder: string | undefined, options: TrustOptions) =>
      (await import("../commands/permission/trust.ts")).trust(folder ?? ".", options),
    );
}
