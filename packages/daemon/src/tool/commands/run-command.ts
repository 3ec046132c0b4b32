import { toolFields } from "@baton/core/tool/tool-table";
import { CallId } from "@baton/core/protocol/ids";
import type { SessionEvent } from "@baton/core/protocol/event";
import * as z from "zod";
import type { BackgroundCommandHandle } from "../../system/commands/background-commands.ts";
import type { CommandResult } from "../../system/commands/shell.ts";
import { toolArguments } from "../input-schema.ts";
import { actingTool, failed, inputField, ok, type ToolExecutionResult, type ToolContext } from "../tool-types.ts";
import { formatShortDuration, escapeHidden } from "../result-text.ts";
import { commandInFolder } from "./command-in-folder.ts";
import { hostsText } from "./hosts-text.ts";
import { createdMeanwhileText, createdText, refusalText, sandboxRefusals } from "./sandbox-refusals.ts";
import { QUIET_MS, screenOutcome } from "./screen-text.ts";
import { terminalText, terminalView, withLine } from "./truncate-output.ts";

const DEFAULT_MS = 120_000;
const MAX_MS = 600_000;
/** The length of a reason that a request shows. */
const MAX_REASON = 300;

export const runCommand = actingTool({
  ...toolFields("run_command"),
  description:
    "Run a command in the workspace. Run servers and watchers in the background; see command_output. If it needs input, give it a terminal; see write_to_command.",
  input: toolArguments({
    command: z.string().min(1),
    timeout_ms: z.int().min(1).max(MAX_MS).optional().describe(`default ${DEFAULT_MS}`),
    background: z.boolean().optional(),
    terminal: z.boolean().optional().describe("for prompts, REPLs and full-screen programs; returns when the screen is quiet"),
    workdir: z.string().min(1).optional().describe("instead of cd"),
    outside_sandbox: z.string().optional().describe("why"),
  }),
  usesSandbox: true,
  outsideSandbox: ({ outside_sandbox: why }) => (why === undefined ? undefined : escapeHidden(why.slice(0, MAX_REASON))),
  label: (input) => ({
    verb: "run",
    object: escapeHidden(commandInFolder(inputField(input, "workdir") || undefined, inputField(input, "command"))),
  }),
  access: ({ command, workdir }) => [{ action: "command", resource: commandInFolder(workdir, command) }],
  preview: async ({ command, workdir, timeout_ms = DEFAULT_MS, background = false, terminal = false }, { cwd }) => ({
    type: "command",
    command: commandInFolder(workdir, command),
    cwd,
    ...(terminal ? { terminal } : background ? {} : { timeLimitMs: timeout_ms }),
  }),
  run: async ({ command, workdir, timeout_ms = DEFAULT_MS, background = false, terminal = false }, context) => {
    const folder = workdir === undefined ? undefined : context.ports.files.stat(workdir);
    if (workdir !== undefined && folder && "fault" in folder && folder.fault === "missing")
      return failed(`There is no folder ${workdir}, so nothing was run.`);
    const text = commandInFolder(workdir, command);
    if (terminal) return startInTerminal(text, context);
    return background ? start(text, context) : run(text, timeout_ms, context);
  },
});

async function run(command: string, timeoutMs: number, context: ToolContext): Promise<ToolExecutionResult> {
  const { ports, cwd, signal, output } = context;
  const finished = await ports.shell.run(command, { cwd, timeoutMs, signal, onOutput: output, owner: context });
  if ("fault" in finished) return failed(finished.message);
  if (finished.left) follow(finished.left, command, context);
  const took = formatShortDuration(finished.tookMs);
  const isFine = finished.exitCode === 0 && !finished.timedOut && finished.excess === undefined;
  const ending = endingOf(finished, timeoutMs);
  const first = finished.excess
    ? `${finished.excess}, so Baton ended it. Split the work, or ask the user to raise the limit`
    : finished.timedOut
      ? `${ending} reached, so Baton ended it. Run long commands in the background`
      : `${ending}, ${took}`;
  const printed = terminalText(finished);
  const hosts = hostsText(finished.network);
  const notes = [
    ...(finished.notes ?? []),
    finished.contained && !isFine ? refusalText(sandboxRefusals(printed, cwd)) : undefined,
    finished.contained && createdText(finished.contained, cwd),
  ].filter((note) => note !== undefined);
  const text = `${first}${printed === "" ? ", no output" : `\n${printed}`}${hosts}${leftText(finished.left)}${notes.map((note) => `\n(${note})`).join("")}`;
  const more = { view: withLine(terminalView(finished, finished.exitCode), hosts), end: isFine ? took : ending };
  const created = finished.contained?.created ?? [];
  const exceeded: SessionEvent[] =
    created.length > 0 ? [{ type: "sandbox.exceeded", callId: CallId.parse(context.callId), files: [...created] }] : [];
  return { ...(isFine ? ok(text, more) : failed(text, more)), ...(exceeded.length > 0 ? { events: exceeded } : {}) };
}

function endingOf({ exitCode, signal, timedOut, excess }: CommandResult, timeoutMs: number): string {
  if (excess !== undefined) return "resource limit exceeded";
  if (timedOut) return `time limit ${formatShortDuration(timeoutMs)}`;
  return exitCode === null ? `ended by ${signal ?? "a signal"}` : `exit ${exitCode}`;
}

const leftText = (left: BackgroundCommandHandle | undefined): string =>
  left ? `\n(a process that it started is still running as ${left.id}; see command_output and stop_command)` : "";

async function start(command: string, context: ToolContext): Promise<ToolExecutionResult> {
  const process = await context.ports.shell.start(command, { cwd: context.cwd, owner: context });
  if ("fault" in process) return failed(process.message);
  follow(process, command, context);
  return ok(`Started in the background as ${process.id}. Poll it with command_output, end it with stop_command.`, {
    end: `background ${process.id}`,
  });
}

/** The longest wait for the first screen of a terminal. */
const FIRST_SCREEN_MS = 10_000;

/** Returns the screen as soon as the program has ended or its output is quiet. */
async function startInTerminal(command: string, context: ToolContext): Promise<ToolExecutionResult> {
  const { ports, cwd, sessionId, callId, signal } = context;
  const process = await ports.shell.startTerminal(command, { cwd, owner: context });
  if ("fault" in process) return failed(process.message);
  follow(process, command, context);
  const seen = await ports.shell.screen(sessionId, callId, { quietMs: QUIET_MS, mostMs: FIRST_SCREEN_MS, signal });
  if (!seen) return failed("The terminal ended before its screen could be read.");
  const outcome = screenOutcome(callId, seen, cwd);
  return seen.end && seen.end.exitCode !== 0 ? { ...outcome, outcome: "failed" } : outcome;
}

/** The start is recorded before the end can be, so that an ended command never appears as running. */
function follow(process: BackgroundCommandHandle, command: string, { callId: id, programs, cwd, note }: ToolContext): void {
  const { id: processId } = process;
  const callId = CallId.parse(id);
  note([{ type: "process.started", processId, callId, command }]);
  process.onCreated?.((files) => {
    process.print(`\n(${createdMeanwhileText(files, cwd)})\n`);
    note([{ type: "sandbox.exceeded", callId, files: [...files], programs: [...programs] }]);
  });
  process.onEnd(({ exitCode, reason }) => note([{ type: "process.ended", processId, exitCode, reason }]));
}
