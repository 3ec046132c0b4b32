import { Command, CommanderError, Option } from "commander";
import { writeSentences } from "../render/wrap-sentences.ts";
import { onRequestChoices } from "../run/request-policy.ts";
import { resolveScriptedModel } from "../connection/resolve-scripted-model.ts";
import { addExamples } from "./examples.ts";
import { isFirstPrompt, rejectUnknownCommand } from "./reject-unknown-command.ts";
import { errorMessage } from "@baton/core/client/rpc-errors";
import { exitCodeFor, EXIT_CODES, exitMeanings, CommandExit } from "../connection/exit-codes.ts";
import { backgroundCommands } from "./background-commands.ts";
import { daemonCommands } from "./daemon-commands.ts";
import { installCommands } from "./install-commands.ts";
import { mcpCommands } from "./mcp-commands.ts";
import { modeCommands } from "./mode-commands.ts";
import { modelCommands } from "./model-commands.ts";
import { hookCommands } from "./hook-commands.ts";
import { pluginCommands } from "./plugin-commands.ts";
import { placeCommands } from "./place-commands.ts";
import { securityCommands } from "./security-commands.ts";
import { parseDuration } from "./option/parse-duration.ts";
import { parsePositiveInteger } from "./option/parse-positive-integer.ts";
import { requestCommands } from "./request-commands.ts";
import { sessionCommands } from "./session-commands.ts";
import { storeCommands } from "./store-commands.ts";
import { toolsetCommands } from "./toolset-commands.ts";
import type { OpenOptions } from "../commands/session/open-terminal-session.ts";
import type { RunOptions } from "../run/run.ts";
import { VERSION } from "./version.ts";

/** Parses the command line and runs the command. The code of a command is loaded when it runs. */
export async function program(argv: string[]): Promise<void> {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? EXIT_CODES.done : EXIT_CODES.failed));
  try {
    const baton = commands();
    rejectUnknownCommand(argv.slice(2, 4), baton);
    await baton.parseAsync(argv);
  } catch (error) {
    process.exitCode = reportError(error);
  }
  await new Promise((flushed) => process.stdout.write("", flushed));
  process.exit();
}

function reportError(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT_CODES.done : EXIT_CODES.usage; // commander has printed it already
  if (!(error instanceof CommandExit && error.message === "")) writeSentences(process.stderr, [`baton: ${errorMessage(error)}`]);
  return exitCodeFor(error);
}

const exitLine = ([name, code]: [string, number]): string =>
  `  ${String(code).padEnd(5)}${exitMeanings[name as keyof typeof EXIT_CODES].replaceAll("`", "")}`; // the names are those of EXIT

const RUN_EXITS = `\nExit codes:\n${Object.entries(EXIT_CODES).map(exitLine).join("\n")}`;

/** The models of several versions, separated by commas. */
const resolveEach = (models: string): string =>
  models
    .split(",")
    .map((model) => resolveScriptedModel(model))
    .join(",");

const collect = (value: string, before: string[] = []): string[] => [...before, value];

/** After an error of its arguments or options, each command names its own help. */
function pointToHelp(command: Command, words = command.name()): void {
  const isNoun = command.commands.length > 0;
  command.showHelpAfterError(`\`${words} --help\` lists the ${isNoun ? "commands" : "arguments and options"}.`);
  for (const child of command.commands) pointToHelp(child, `${words} ${child.name()}`);
}

/** The whole command tree. */
export function commands(): Command {
  const baton = new Command("baton")
    .description("An agent that works in your folder, asks before it acts, and continues when you leave.")
    .version(VERSION, "-V, --version")
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, "baton: ")) })
    .enablePositionalOptions()
    .helpCommand(false)
    .argument("[path]", "folder to work in; anything else with a space is the first prompt", ".")
    .argument("[prompt]", "first prompt")
    .option("--mode <mode>", "mode to start in")
    .option("--model <model>", "model as provider/model", resolveScriptedModel)
    .option("-w, --worktree [name]", "work in a place: a git worktree of its own; without a name a new one, or a pull request as #123")
    .option("--base <base>", "branch, tag or commit at which a new place begins")
    .option("--add-dir <folder>", "work in this folder too; may be repeated", collect, [])
    .option("--read-dir <folder>", "read this folder too; may be repeated", collect, [])
    .option("-c, --continue", "continue the newest session of this folder")
    .option("-r, --resume [session]", "continue a session; without an id you pick one")
    .action(async (path: string, prompt: string | undefined, options: OpenOptions) => {
      const { openTerminalSession } = await import("../commands/session/open-terminal-session.ts");
      const isPrompt = prompt === undefined && isFirstPrompt(path);
      await (isPrompt ? openTerminalSession(".", path, options) : openTerminalSession(path, prompt, options));
    });

  baton
    .command("run [prompt]")
    .description("run one turn without a screen; piped input is added to the prompt, - reads the prompt from standard input")
    .option("--mode <mode>", "mode to work in")
    .option("--model <model>", "model as provider/model; several with commas for several versions", resolveEach)
    .option("--cwd <folder>", "folder to work in")
    .option("--session <id>", "continue this session")
    .option("--continue", "continue the newest session of this folder")
    .option("--add-dir <folder>", "work in this folder too; may be repeated", collect, [])
    .option("--read-dir <folder>", "read this folder too; may be repeated", collect, [])
    .option("--place <place>", "work in a place: `new`, the name of one, or a pull request as #123")
    .option("--base <base>", "branch, tag or commit at which a new place begins")
    .option("--versions <n>", "try the prompt in this many new places side by side; --model a,b,c names their models", parsePositiveInteger)
    .addOption(
      new Option("--on-request <what>", "what to do with a request (default: ask in a terminal, otherwise deny)").choices(onRequestChoices),
    )
    .option("--max-steps <n>", "maximum number of steps", parsePositiveInteger)
    .option(
      "--timeout <duration>",
      "stop the turn after this time, such as 90s, 10m or 1h; print what there is and exit with 124",
      parseDuration,
    )
    .option("--allow <rule>", 'allow this in the session, such as "command npm test"; may be repeated', collect)
    .option("--schema <file>", "require a final answer that matches this JSON Schema; ask once more if it does not match, then exit 1")
    .option("--json", "print events as JSON lines, and the result last")
    .addHelpText("after", RUN_EXITS)
    .action(async (prompt: string | undefined, options: RunOptions) => (await import("../run/run.ts")).run(prompt, options));

  baton
    .command("attach [session]")
    .description("open a session and answer its requests; without an id you pick one")
    .action(async (session: string | undefined) => (await import("../commands/session/open-terminal-session.ts")).attach(session));

  sessionCommands(baton);
  backgroundCommands(baton);
  hookCommands(baton);
  pluginCommands(baton);
  placeCommands(baton);
  requestCommands(baton);
  modeCommands(baton);
  securityCommands(baton);
  mcpCommands(baton);
  toolsetCommands(baton);
  modelCommands(baton);
  daemonCommands(baton);
  storeCommands(baton);
  installCommands(baton);

  baton
    .command("acp")
    .description("run an Agent Client Protocol agent on standard input and output, for editors")
    .action(async () => (await import("../acp/serve-acp.ts")).serveAcp());

  baton
    .command("web [folder]")
    .description("open the page in the browser, ready for a session in this folder")
    .option("--no-open", "only print the address, which works once")
    .option("--json", "print JSON")
    .action(async (folder: string | undefined, options: { open?: boolean; json?: boolean }) =>
      (await import("../commands/daemon/web.ts")).web(folder ?? ".", options),
    );

  baton
    .command("doctor")
    .description("check what is installed, reachable and configured")
    .option("--json", "print JSON")
    .action(async (options: { json?: boolean }) => (await import("../commands/daemon/doctor.ts")).doctor(options));

  baton
    .command("demo")
    .description("run a demo with a scripted model in a copy of a sample project")
    .action(async () => (await import("../commands/session/demo.ts")).demo());

  baton
    .command("help [words...]")
    .description("print a documentation page or the help of a command; `baton help topics` lists the pages")
    .action(async (words: string[]) => (await import("../commands/help/help.ts")).help(words, baton));

  baton.hook("preAction", async (_, command) => {
    const { cwd } = command.opts<{ cwd?: string }>();
    if (cwd !== undefined) (await import("../connection/resolve-workspace.ts")).resolveWorkspace(cwd); // throws if there is no such folder
  });
  addExamples(baton);
  pointToHelp(baton);
  return baton;
}
