import { omitUndefined } from "@baton/core/text/omit-undefined";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { keyBindings } from "@baton/core/terminal/key-bindings";
import type { AdditionalRoot } from "@baton/core/protocol/event";
import { userSelectable } from "@baton/core/mode/user-selectable";
import { startLines } from "../../render/lists/start-screen.ts";
import { isOtherBuild, BUILD_MISMATCH, VERSION } from "../../program/version.ts";
import { findSession, newestSession } from "../../connection/find-by-id.ts";
import { firstRun, type FirstRun } from "./first-run.ts";
import { fetchTerminalSettings } from "../../connection/terminal-settings.ts";
import { openDaemonConnection, type DaemonConnection } from "../../connection/daemon-connection.ts";
import { modeColors, terminalStyle, printLines } from "../output.ts";
import { formatDiagnostic } from "../mode/format-diagnostic.ts";
import { EXIT_CODES, CommandExit, usageError } from "../../connection/exit-codes.ts";
import { apiKeysUnknownToDaemon, unknownKeyText } from "../../connection/api-keys-unknown-to-daemon.ts";
import { bufferEarlyInput, type EarlyInput } from "../../terminal/input/early-input.ts";
import { rootsOf, type RootOptions } from "./folder-options.ts";
import { resolveWorkspace } from "../../connection/resolve-workspace.ts";

/** `continue`: open the newest session of the folder. `resume`: open this session, or let the user pick one (true). */
export type OpenOptions = RootOptions & {
  mode?: string;
  model?: string;
  continue?: boolean;
  resume?: string | true;
  /** Work in a place: a new one (true), or this one. */
  worktree?: string | true;
  /** The base of a new place. */
  base?: string;
};

const isTerminal = (): boolean => process.stdin.isTTY && process.stdout.isTTY;
/** Whether the terminal can redraw lines. */
const isInteractive = (): boolean => isTerminal() && !isDumb();
const isDumb = (): boolean => process.env["TERM"] === "dumb";

const NO_TERMINAL = 'Standard input or output is not a terminal. Use `baton run "your task"` instead.';

/**
 * Opens the terminal client in a folder, and sends `prompt` if there is one. Without a model it prints what it found; without a terminal and
 * a prompt it then runs the demo.
 */
export async function openTerminalSession(folder: string, prompt: string | undefined, options: OpenOptions): Promise<void> {
  const { mode, model, resume } = options;
  if (options.base !== undefined && options.worktree === undefined) throw usageError("--base is the base of a new place. Add -w.");
  if (options.worktree !== undefined && resume !== undefined) throw usageError("A session stays in its folder. Leave -w or --resume out.");
  if (typeof resume === "string") return attach(resume, prompt);
  if (prompt !== undefined && !isTerminal()) throw new CommandExit(NO_TERMINAL, EXIT_CODES.usage);
  if (prompt === undefined && !/[\\/.]/.test(folder) && !existsSync(folder))
    throw usageError(`There is no folder ${folder} here. Name an existing folder. If it is your prompt, write: baton . "${folder}"`);
  const source = resolveWorkspace(folder);
  const early = isInteractive() ? bufferEarlyInput() : undefined;
  const listener = { report: (_: string) => undefined };
  const link = await openDaemonConnection({ client: "terminal", onState: () => redraw(listener) });
  let wanted: FirstRun = "open";
  try {
    if (mode !== undefined) await link.api.daemon.tools.query({ cwd: source, mode }); // refuses an unknown mode
    const isNew = !options.continue && resume === undefined; // an existing session has a model
    const resolved =
      isNew || model !== undefined ? await link.api.daemon.model.query(model === undefined ? {} : { model }) : { problem: null };
    const unknownKeys = resolved.problem === null ? [] : await apiKeysUnknownToDaemon(link.api, process.env);
    if (resolved.problem !== null && model !== undefined)
      throw new CommandExit([resolved.problem, ...unknownKeys.map(unknownKeyText)].join("\n"), EXIT_CODES.usage);
    if (resolved.problem !== null) wanted = await firstRun(resolved.problem, unknownKeys, link, early);
    else if (!isTerminal()) throw new CommandExit(NO_TERMINAL, EXIT_CODES.usage);
    if (wanted === "demo") return;
    const workspace = options.worktree === undefined ? source : await placeFor(link, source, options);
    const sessionId = options.continue ? await newestSession(link.api, workspace) : undefined;
    await client(link, listener, {
      workspace,
      mode,
      model,
      prompt,
      roots: rootsOf(options),
      sessionId,
      pick: resume === true ? "session" : wanted === "pick" ? "model" : undefined,
      hello: sessionId === undefined,
      early,
    });
  } finally {
    await link.close();
    if (wanted === "demo") await (await import("./demo.ts")).demo();
  }
}

/** The folder of the place in which the session works. */
async function placeFor({ api }: DaemonConnection, source: string, { worktree = true, base }: OpenOptions): Promise<string> {
  const { findOrCreatePlace, placeSentence } = await import("../place/find-or-create-place.ts");
  const place = await findOrCreatePlace(api, source, { place: worktree, base }, { ask: isTerminal() });
  printLines([placeSentence(place)]);
  return place.workspace;
}

/** Opens the terminal client for an existing session. Without a reference the user picks one. */
export async function attach(reference: string | undefined, prompt?: string): Promise<void> {
  if (reference === undefined) return openTerminalSession(".", prompt, { resume: true });
  const early = isInteractive() ? bufferEarlyInput() : undefined;
  const listener = { report: (_: string) => undefined };
  const link = await openDaemonConnection({ client: "terminal", onState: () => redraw(listener) });
  try {
    const { id, workspace, mode } = await findSession(link.api, reference);
    await client(link, listener, {
      workspace,
      mode,
      model: undefined,
      prompt,
      roots: [],
      sessionId: id,
      pick: undefined,
      hello: false,
      early,
    });
  } finally {
    await link.close();
  }
}

type ConnectionListener = { report: (problem: string) => void };
const redraw = (listener: ConnectionListener): void => listener.report("");

type ClientOptions = {
  workspace: string;
  mode: string | undefined;
  model: string | undefined;
  prompt: string | undefined;
  roots: readonly AdditionalRoot[];
  sessionId: string | undefined;
  /** The user's first choice. */
  pick: "session" | "model" | undefined;
  hello: boolean;
  early: EarlyInput | undefined;
};

async function client(link: DaemonConnection, listener: ConnectionListener, options: ClientOptions): Promise<void> {
  const { api } = link;
  const [modes, tools, status, waiting, defaultModel, settings] = await Promise.all([
    api.daemon.modes.query({ cwd: options.workspace }),
    api.daemon.tools.query({ cwd: options.workspace, ...omitUndefined({ mode: options.mode }) }),
    api.daemon.status.query({ cwd: options.workspace }),
    api.request.list.query(),
    api.daemon.model.query({}),
    fetchTerminalSettings(api),
  ]);
  const { mode, offered } = tools;
  const { workspace, model, prompt, roots, sessionId, pick, hello, early } = options;
  const style = terminalStyle(process.stdout, modeColors(modes), keyBindings(settings.keys));
  const problems = [...(isOtherBuild(status) ? [BUILD_MISMATCH] : []), ...status.diagnostics.map(formatDiagnostic)];
  const start = { version: VERSION, folder: path.basename(workspace), branch: currentBranch(workspace), mode, offered, waiting, problems };
  if (!isInteractive()) {
    const { lineClient } = await import("../../run/line-mode-client.ts");
    await lineClient(link, { workspace, mode, model, roots, sessionId, facts: isDumb(), ...omitUndefined({ prompt }) });
    return;
  }
  if (hello) printLines(startLines(start, style));
  const { runTerminal } = await import("../../terminal/run-terminal.ts");
  await runTerminal({
    link,
    modes: modes.filter(userSelectable),
    workspace,
    mode,
    model,
    roots,
    usualModel: defaultModel.id ?? undefined,
    sessionId,
    prompt,
    pick,
    early,
    settings,
    onLink: (report) => (listener.report = report),
  });
}

/** The current branch, read from .git/HEAD. */
function currentBranch(workspace: string): string | undefined {
  try {
    const head = readFileSync(path.join(workspace, ".git", "HEAD"), "utf8");
    return /^ref: refs\/heads\/(.+)$/m.exec(head)?.[1];
  } catch {
    return undefined; // not a checkout, or a linked one
  }
}
