import { Command, CommanderError, Option } from "commander";
import { onRequestChoices } from "../run/request-policy.ts";
import { resolveScriptedModel } from "../connection/resolve-scripted-model.ts";
import { rejectUnknownCommand } from "./reject-unknown-command.ts";
import { errorMessage } from "@baton/core/client/errors";
import { exitCodeFor, EXIT, Stop } from "../connection/exit-codes.ts";
import { daemonCommands } from "./daemon-commands.ts";
import { mcpCommands } from "./mcp-commands.ts";
import { modeCommands } from "./mode-commands.ts";
import { modelCommands } from "./model-commands.ts";
import { permissionCommands } from "./permission-commands.ts";
import { parsePositiveInteger } from "./parse-positive-integer.ts";
import { requestCommands } from "./request-commands.ts";
import { sessionCommands } from "./session-commands.ts";
import { storeCommands } from "./store-commands.ts";
import { toolsetCommands } from "./toolset-commands.ts";
import type { RunOptions } from "../run/run.ts";
import { VERSION } from "./version.ts";

/** Reads the command line and does it. The code of each command is loaded when it is wanted. */
export async function program(argv: string[]): Promise<void> {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? EXIT.done : EXIT.failed));
  try {
    const baton = commands();
    rejectUnknownCommand(argv.slice(2, 4), baton);
    await baton.parseAsync(argv);
  } catch (error) {
    process.exitCode = told(error);
  }
  await new Promise((flushed) => process.stdout.write("", flushed));
  process.exit();
}

function told(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage; // commander has said it already
  if (!(error instanceof Stop && error.message === "")) process.stderr.write(`baton: ${errorMessage(error)}\n`);
  return exitCodeFor(error);
}

const RUN_EXITS = `
Exit codes: 0 done; 1 the turn failed; 2 wrong usage or config; 3 a request was left open (--on-request fail); 4 the turn
ended because a request was denied or a limit was reached; 5 no daemon; 130 interrupted.`;

function commands(): Command {
  const baton = new Command("baton")
    .description("An agent that works in your folder, asks before it acts, and goes on when you leave.")
    .version(VERSION, "-V, --version")
    .exitOverride()
    .enablePositionalOptions()
    .helpCommand("help [command]", "what a command takes")
    .showHelpAfterError("(baton --help lists the commands)")
    .argument("[path]", "folder to work in", ".")
    .option("--mode <mode>", "mode to begin in")
    .option("--model <model>", "model as provider/model", resolveScriptedModel)
    .action(async (path: string, options: { mode?: string; model?: string }) =>
      (await import("../commands/session/open-session.ts")).open(path, options),
    );

  baton
    .command("run [prompt]")
    .description("one turn without a screen; piped input is added to the prompt, and - reads all of it from standard input")
    .option("--mode <mode>", "mode to work in")
    .option("--model <model>", "model as provider/model", resolveScriptedModel)
    .option("--cwd <folder>", "folder to work in")
    .option("--session <id>", "go on with this session")
    .option("--continue", "go on with the newest session of this folder")
    .addOption(
      new Option("--on-request <what>", "what to do when a person is needed (on a terminal it asks, else deny)").choices(onRequestChoices),
    )
    .option("--max-steps <n>", "limit of steps", parsePositiveInteger)
    .option("--schema <file>", "the last answer is JSON that fits this JSON Schema; asked for once more when it does not, else exit 1")
    .option("--json", "one JSON line per event, the result last")
    .addHelpText("after", RUN_EXITS)
    .action(async (prompt: string | undefined, options: RunOptions) => (await import("../run/run.ts")).run(prompt, options));

  baton
    .command("attach <session>")
    .description("follow a session and answer its requests")
    .action(async (session: string) => (await import("../commands/session/open-session.ts")).attach(session));

  sessionCommands(baton);
  requestCommands(baton);
  modeCommands(baton);
  permissionCommands(baton);
  mcpCommands(baton);
  toolsetCommands(baton);
  modelCommands(baton);
  daemonCommands(baton);
  storeCommands(baton);

  baton
    .command("acp")
    .description("be an agent for editors that speak the Agent Client Protocol, on standard input and output")
    .action(async () => (await import("../acp/acp.ts")).acp());

  baton
    .command("web")
    .description("open the page in the browser, with a code that works once")
    .option("--no-open", "only print the address")
    .option("--json")
    .action(async (options: { open?: boolean; json?: boolean }) => (await import("../commands/daemon/web.ts")).web(options));

  baton
    .command("doctor")
    .description("what is installed, reachable and configured, and what to do about it")
    .option("--json")
    .action(async (options: { json?: boolean }) => (await import("../commands/daemon/doctor.ts")).doctor(options));

  baton
    .command("demo")
    .description("a tour with a scripted model in a copy of a sample project")
    .action(async () => (await import("../commands/session/demo.ts")).demo());
  return baton;
}
