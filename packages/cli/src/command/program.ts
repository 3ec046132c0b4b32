import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { onRequestChoices } from "./choices.ts";
import type { CheckOptions } from "./check.ts";
import { exitCodeFor, messageFor } from "./problem.ts";
import type { CreateOptions, EditOptions, TakeOptions } from "./modes-edit.ts";
import type { ExportOptions, Scope } from "./modes-files.ts";
import type { RunOptions } from "./run.ts";
import type { ToolsOptions } from "./tools.ts";
import { EXIT, Stop } from "./stop.ts";
import type { TrustOptions } from "./trust.ts";
import type { UndoOptions } from "./undo.ts";
import { VERSION } from "./version.ts";

/** Reads the command line and does it. The code of each command is loaded when it is wanted. */
export async function program(argv: string[]): Promise<void> {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? EXIT.done : EXIT.failed));
  try {
    await commands().parseAsync(argv);
  } catch (error) {
    process.exitCode = told(error);
  }
  await new Promise((flushed) => process.stdout.write("", flushed));
  process.exit();
}

function told(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage; // commander has said it already
  if (!(error instanceof Stop && error.message === "")) process.stderr.write(`baton: ${messageFor(error)}\n`);
  return exitCodeFor(error);
}

function commands(): Command {
  const baton = new Command("baton")
    .description("An agent that works in your folder, asks before it acts, and goes on when you leave.")
    .version(VERSION, "-V, --version")
    .exitOverride()
    .enablePositionalOptions()
    .showHelpAfterError("(baton --help lists the commands)")
    .argument("[path]", "folder to work in", ".")
    .option("--mode <mode>", "mode to begin in")
    .option("--model <model>", "model as provider/model")
    .action(async (path: string, options: { mode?: string; model?: string }) => (await import("./open.ts")).open(path, options));

  baton
    .command("run [prompt]")
    .description("one turn without a screen; - reads the prompt from standard input")
    .option("--mode <mode>", "mode to work in")
    .option("--model <model>", "model as provider/model")
    .option("--cwd <folder>", "folder to work in")
    .option("--session <id>", "go on with this session")
    .option("--continue", "go on with the newest session of this folder")
    .addOption(
      new Option("--on-request <what>", "what to do when a person is needed (on a terminal it asks, else deny)").choices(onRequestChoices),
    )
    .option("--max-steps <n>", "limit of steps", positive)
    .option("--json", "one JSON line per event, the result last")
    .action(async (prompt: string | undefined, options: RunOptions) => (await import("./run.ts")).run(prompt, options));

  baton
    .command("attach <session>")
    .description("follow a session and answer its requests")
    .action(async (session: string) => (await import("./open.ts")).attach(session));

  sessionCommands(baton);
  copyCommands(baton);
  undoCommand(baton);
  requestCommands(baton);
  modeCommands(baton);
  permissionCommands(baton);
  trustCommand(baton);
  daemonCommands(baton);

  baton
    .command("web")
    .description("open the page in the browser, with a code that works once")
    .option("--no-open", "only print the address")
    .option("--json")
    .action(async (options: { open?: boolean; json?: boolean }) => (await import("./web.ts")).web(options));

  baton
    .command("doctor")
    .description("what is installed, reachable and configured, and what to do about it")
    .option("--json")
    .action(async (options: { json?: boolean }) => (await import("./doctor.ts")).doctor(options));

  baton
    .command("demo")
    .description("a tour with a scripted model in a copy of a sample project")
    .action(async () => (await import("./demo.ts")).demo());
  return baton;
}

function sessionCommands(baton: Command): void {
  baton
    .command("sessions")
    .description("list sessions")
    .option("--here", "of this folder only")
    .option("--archived", "archived ones")
    .option("--json")
    .action(async (options: { here?: boolean; archived?: boolean; json?: boolean }) => (await import("./sessions.ts")).sessions(options));
  baton
    .command("show <session>")
    .description("print a session")
    .option("--json")
    .action(async (session: string, options: { json?: boolean }) => (await import("./show.ts")).show(session, options));
  baton
    .command("rename <session> <title>")
    .description("give a session another title")
    .option("--json")
    .action(async (session: string, title: string, options: { json?: boolean }) =>
      (await import("./rename.ts")).rename(session, title, options),
    );
  baton
    .command("archive <session>")
    .description("take a session out of the list")
    .option("--undo", "back into the list")
    .option("--json")
    .action(async (session: string, options: { undo?: boolean; json?: boolean }) =>
      (await import("./rename.ts")).archive(session, options),
    );
}

function copyCommands(baton: Command): void {
  const code = () => import("./copy.ts");
  baton
    .command("fork <session>")
    .description("begin a session that repeats another one")
    .option("--at <seq>", "only up to this event", positive)
    .option("--json")
    .action(async (session: string, options: { at?: number; json?: boolean }) => (await code()).fork(session, options));
  baton
    .command("export <session>")
    .description("print a session: its events as JSON lines")
    .option("--markdown", "as a text for people")
    .action(async (session: string, options: { markdown?: boolean }) => (await code()).exportSession(session, options));
  baton
    .command("import <file>")
    .description("begin a session from an export; - reads standard input")
    .option("--cwd <folder>", "folder it works in")
    .option("--json")
    .action(async (file: string, options: { cwd?: string; json?: boolean }) => (await code()).importSession(file, options));
  baton
    .command("delete <session>")
    .description("remove a session and its subtasks for good")
    .option("--yes", "without asking")
    .option("--json")
    .action(async (session: string, options: { yes?: boolean; json?: boolean }) => (await code()).deleteSession(session, options));
}

function undoCommand(baton: Command): void {
  baton
    .command("undo <session>")
    .description("take back what the newest turn did to files")
    .option("--to <prompt>", "back to before this prompt")
    .option("--conversation", "take the conversation back too")
    .option("--preview", "only show what would be done")
    .option("--json")
    .action(async (session: string, options: UndoOptions) => (await import("./undo.ts")).undo(session, options));
}

function requestCommands(baton: Command): void {
  baton
    .command("inbox")
    .description("list what waits for you, in all sessions")
    .option("--json")
    .action(async (options: { json?: boolean }) => (await import("./inbox.ts")).inbox(options));
  baton
    .command("answer <request> [choice]")
    .description("answer a request")
    .option("--text <text>", "answer in your own words")
    .option("--fields <json>", "fields of a form")
    .option("--note <note>", "a note for the agent")
    .option("--rule <json>", "the rule to remember instead of the proposed one")
    .option("--hash <hash>", "answer only if this is still what is asked")
    .option("--json")
    .action(async (request: string, choice: string | undefined, options: Record<string, string>) =>
      (await import("./answer.ts")).answer(request, choice, options),
    );
}

function modeCommands(baton: Command): void {
  const modes = baton.command("modes").description("modes: list, check, make, change and move them");
  const scope = () => new Option("--scope <scope>", "global: yours, everywhere; project: this folder's").choices(["global", "project"]);
  const set = () => new Option("--set <name=value...>", "fields, as JSON or text");
  const [files, edit] = [() => import("./modes-files.ts"), () => import("./modes-edit.ts")];
  modes
    .command("list", { isDefault: true })
    .description("list the modes of this folder")
    .option("--cwd <folder>")
    .option("--json")
    .action(async (options: { cwd?: string; json?: boolean }) => (await import("./modes.ts")).listModes(options));
  modes
    .command("show <slug>")
    .description("print a mode whole")
    .option("--json")
    .action(async (slug: string, options: { json?: boolean }) => (await import("./modes.ts")).showMode(slug, options));
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
    .option("--json")
    .action(async (slug: string, options: TakeOptions) => (await edit()).deleteMode(slug, options));
  modes
    .command("restore <slug>")
    .description("bring a built-in mode back that was defined anew")
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
    .addOption(new Option("--format <format>").choices(["own", "roo", "claude", "opencode"]).default("own"))
    .option("--out <file>", "write it there")
    .option("--json")
    .action(async (slug: string, options: ExportOptions) => (await files()).exportMode(slug, options));
}

function permissionCommands(baton: Command): void {
  baton
    .command("tools")
    .description("list the tools of a mode, and why others are not offered")
    .option("--mode <mode>")
    .option("--model <model>", "as it is for this model")
    .option("--cwd <folder>")
    .option("--json")
    .action(async (options: ToolsOptions) => (await import("./tools.ts")).tools(options));

  const permissions = baton.command("permissions").description("what may be done, and which rule says so");
  permissions
    .command("list", { isDefault: true })
    .description("list the rules, strongest first")
    .option("--mode <mode>")
    .option("--cwd <folder>")
    .option("--json")
    .action(async (options: { mode?: string; cwd?: string; json?: boolean }) => (await import("./permissions.ts")).listRules(options));
  permissions
    .command("check")
    .description("ask what would happen; runs nothing")
    .option("--tool <tool>")
    .option("--input <json>")
    .option("--action <action>")
    .option("--resource <resource>")
    .option("--mode <mode>")
    .option("--cwd <folder>")
    .option("--rules <file>", "rules on top of the configured ones")
    .option("--only-rules", "leave out defaults, modes and ceilings")
    .option("--stdin", "one question per line, one answer per line")
    .option("--json")
    .action(async (options: CheckOptions) => (await import("./check.ts")).check(options));
  permissions
    .command("grants")
    .description("list what is granted to this folder")
    .option("--cwd <folder>")
    .option("--json")
    .action(async (options: { cwd?: string; json?: boolean }) => (await import("./permissions.ts")).listGrants(options));
  permissions
    .command("import <file>")
    .description("show the rules of opencode, Kilo or Claude Code in our words")
    .option("--write", "put them into your config, before your own rules")
    .option("--json")
    .action(async (file: string, options: { write?: boolean; json?: boolean }) =>
      (await import("./permissions.ts")).importRules(file, options),
    );
  permissions
    .command("revoke <id>")
    .description("take a grant back")
    .option("--cwd <folder>")
    .option("--json")
    .action(async (id: string, options: { cwd?: string; json?: boolean }) => (await import("./permissions.ts")).revokeGrant(id, options));
}

function trustCommand(baton: Command): void {
  baton
    .command("trust [folder]")
    .description("let a folder's own modes, rules and instructions count")
    .option("--restrict", "do not trust it")
    .option("--status", "only say how it stands")
    .option("--json")
    .action(async (folder: string | undefined, options: TrustOptions) => (await import("./trust.ts")).trust(folder ?? ".", options));
}

function daemonCommands(baton: Command): void {
  const daemon = baton.command("daemon").description("the process that owns the sessions");
  type Options = { json?: boolean };
  const code = () => import("./daemon.ts");
  daemon
    .command("start")
    .description("start it unless it runs")
    .option("--json")
    .action(async (options: Options) => (await code()).startDaemon(options));
  daemon
    .command("stop")
    .description("let it drain and end")
    .option("--json")
    .action(async (options: Options) => (await code()).stopDaemon(options));
  daemon
    .command("restart")
    .description("stop and start it")
    .option("--json")
    .action(async (options: Options) => (await code()).restartDaemon(options));
  daemon
    .command("status")
    .description("how it stands")
    .option("--json")
    .action(async (options: Options) => (await code()).daemonStatus(options));
  daemon
    .command("run")
    .description("run it in the foreground")
    .action(async () => (await code()).runDaemon());
  daemon
    .command("logs")
    .description("print its log")
    .option("-f, --follow", "go on as it grows")
    .action(async (options: { follow?: boolean }) => (await code()).daemonLogs(options));
}

function positive(text: string): number {
  const n = Number(text);
  if (!Number.isInteger(n) || n < 1) throw new InvalidArgumentError("It has to be a whole number from 1.");
  return n;
}
