import { omitUndefined } from "@baton/core/text/omit-undefined";
import type { Blobs } from "./files/blob.ts";
import { openEditorBuffers, type EditorBuffers } from "./files/editor-buffers.ts";
import type { Clock } from "./clock.ts";
import type { CommandMonitor, BackgroundCommandHandle } from "./commands/background-commands.ts";
import type { CommandLimits } from "./commands/command-limit-watch.ts";
import { openFiles, type BeforeFileChange, type ResolvePath } from "./files/files.ts";
import type { Ports } from "./system-ports.ts";
import { noLibrary, type SkillLibrary } from "./skill-library.ts";
import { openFileSearch } from "./files/search.ts";
import { guardGitRedirects, newProtectedFiles, protectedFiles, type ProtectedFiles } from "./sandbox/new-protected-files.ts";
import type { SandboxView } from "./sandbox/sandbox.ts";
import { openShell, type CommandEnvironment, type Shell, type ShellOptions, type ShellSandbox } from "./commands/shell.ts";
import { systemFault, type SystemFault } from "./system-fault.ts";
import { sweepTagged } from "./platform/process-tree.ts";
import { openFileSnapshots, type FileSnapshots } from "./files/file-snapshots.ts";
import { openWebSearcher, type SearchService } from "./web/web-search.ts";
import { openWebFetcher, type FetchPolicy } from "./web/web-fetch.ts";
import { openUploads, type Uploads } from "./files/uploads.ts";

/** The scope of one call: its workspace, its path gate, the files that a search may show, and the addresses that it may fetch. */
type PortScope = {
  workspace: string;
  /** More folders that commands may write. */
  writable?: readonly string[];
  /** Present if commands must stay in the sandbox. Returns what they see there, or why the sandbox cannot enforce the rules. */
  view?: (() => SandboxView | string) | undefined;
  /** The environment of the folder for a command, or why the command does not run. Read for every command. */
  environment?: ((command: string) => CommandEnvironment | string) | undefined;
  /** Sentences about it that a session has not read yet. */
  environmentNews?: ((sessionId: string) => readonly string[]) | undefined;
  /** The files that commands in the sandbox can read and change, as a text that is compared. */
  reach?: string | undefined;
  resolve: ResolvePath;
  mayRead: (relative: string) => boolean;
  mayGo: FetchPolicy["mayGo"];
  searchService: () => SearchService | undefined;
  keep?: BeforeFileChange;
  library?: SkillLibrary;
};

/** The daemon's ports. Files and search are tied to a call; shell and blobs are shared. */
export type OpenPorts = {
  uploads: Uploads;
  versions: FileSnapshots;
  buffers: EditorBuffers;
  of: (scope: PortScope) => Ports;
  /** Ends processes that a killed daemon left running. */
  sweep: (bootId: string) => Promise<void>;
  /** Ends the background commands of a session. */
  stopSession: (sessionId: string) => Promise<void>;
  /** The shell that runs commands. */
  shell: Shell["program"];
  /** The background commands of all sessions. */
  commands: CommandMonitor;
  /** Why commands cannot have a terminal here, as a sentence. Undefined: they can. */
  terminalProblem: () => string | undefined;
  close: () => Promise<void>;
};

type PortOptions = {
  bootId: string;
  folder: string;
  blobs: Blobs;
  clock: Clock;
  env: Readonly<Record<string, string | undefined>>;
  passEnv?: () => readonly string[];
  sandbox?: ShellSandbox;
  network?: ShellOptions["network"];
  /** The limits of each command. */
  bounds?: () => CommandLimits;
  /** When it aborts, commands that are being terminated are killed. */
  hurry?: AbortSignal;
  /** The network addresses that may be reached. */
  mayReach: FetchPolicy["mayReach"];
};

export async function openPorts({
  bootId,
  folder,
  blobs,
  clock,
  env,
  passEnv,
  sandbox,
  network,
  bounds,
  hurry,
  mayReach,
}: PortOptions): Promise<OpenPorts> {
  const buffers = openEditorBuffers();
  const shell = await openShell({
    bootId,
    folder,
    blobs,
    env,
    hurry,
    bounds,
    ...omitUndefined({ passEnv, sandbox }),
    ...(network ? { network } : {}),
  });
  return {
    uploads: openUploads(blobs),
    versions: openFileSnapshots(blobs, buffers),
    buffers,
    of: ({
      workspace,
      writable = [],
      view,
      reach,
      environment,
      environmentNews,
      resolve,
      mayRead,
      mayGo,
      searchService,
      keep,
      library = noLibrary,
    }) => ({
      files: openFiles(resolve, { keep, mayRead, buffers }),
      search: openFileSearch({ workspace, resolve, mayRead }),
      shell: shellFor(shell, { view, reach, writable, environment, environmentNews }),
      web: openWebFetcher({ mayGo, mayReach }),
      webSearch: openWebSearcher(searchService, mayReach),
      blobs,
      clock,
      library,
    }),
    sweep: (earlier) => sweepTagged(`${earlier}.`),
    stopSession: (sessionId) => shell.stopSession(sessionId),
    shell: shell.program,
    commands: shell.monitor,
    terminalProblem: () => shell.terminalProblem(),
    close: () => shell.close(),
  };
}

/** The shell of one call. */
function shellFor(
  shell: Shell,
  {
    view,
    reach,
    writable,
    environment,
    environmentNews = () => [],
  }: Pick<PortScope, "view" | "reach" | "environment" | "environmentNews"> & { writable: readonly string[] },
): Shell {
  const surrounded = environment ? withEnvironment(shell, environment, environmentNews) : shell;
  if (view) return contained(surrounded, view, reach);
  return writable.length === 0 ? surrounded : withFolders(surrounded, writable);
}

/** The same shell, whose commands have the environment of the folder. */
function withEnvironment(
  shell: Shell,
  environmentOf: NonNullable<PortScope["environment"]>,
  news: NonNullable<PortScope["environmentNews"]>,
): Shell {
  return {
    ...shell,
    run: async (command, options) => {
      const environment = environmentOf(command);
      if (typeof environment === "string") return systemFault("not_started", environment);
      const finished = await shell.run(command, { ...options, environment });
      const notes = "fault" in finished ? [] : news(options.owner.sessionId);
      return notes.length > 0 ? { ...finished, notes } : finished;
    },
    start: async (command, options) => {
      const environment = environmentOf(command);
      return typeof environment === "string" ? systemFault("not_started", environment) : shell.start(command, { ...options, environment });
    },
    startTerminal: async (command, options) => {
      const environment = environmentOf(command);
      if (typeof environment === "string") return systemFault("not_started", environment);
      return shell.startTerminal(command, { ...options, environment });
    },
  };
}

/** The same shell, whose commands may also write these folders. */
const withFolders = (shell: Shell, writable: readonly string[]): Shell => ({
  ...shell,
  run: (command, options) => shell.run(command, { ...options, writable }),
  start: (command, options) => shell.start(command, { ...options, writable }),
  startTerminal: (command, options) => shell.startTerminal(command, { ...options, writable }),
});

/** The same shell, whose commands stay in the sandbox. */
function contained(shell: Shell, viewOf: () => SandboxView | string, reach: string | undefined): Shell {
  const startWith = async (
    start: (view: SandboxView) => Promise<BackgroundCommandHandle | SystemFault>,
  ): Promise<BackgroundCommandHandle | SystemFault> => {
    const view = viewOf();
    if (typeof view === "string") return systemFault("not_started", view);
    const [before, redirects] = [protectedFiles(view), guardGitRedirects(view)];
    const process = await start(view);
    if ("fault" in process) {
      redirects.end();
      return process;
    }
    process.onEnd(redirects.end);
    return withCreated(process, before, viewOf);
  };
  return {
    ...shell,
    run: async (command, options) => {
      const view = viewOf();
      if (typeof view === "string") return systemFault("not_started", view);
      const [before, redirects] = [protectedFiles(view), guardGitRedirects(view)];
      const finished = await shell.run(command, { ...options, view }).catch((error: unknown) => {
        redirects.end();
        throw error;
      });
      if ("fault" in finished || !finished.left) redirects.end();
      else finished.left.onEnd(redirects.end);
      if ("fault" in finished) return finished;
      const removed = redirects.removed();
      const after = viewOf();
      const created = typeof after === "string" ? [] : newProtectedFiles(before, after);
      return { ...finished, contained: { created, removed } };
    },
    start: (command, options) => startWith((view) => shell.start(command, { ...options, view })),
    startTerminal: (command, options) =>
      startWith((view) => shell.startTerminal(command, { ...options, view, ...omitUndefined({ reach }) })),
  };
}

/** How often Baton looks for protected files that a background command created. */
const LOOK_MS = 30_000;

/** The same process, which reports protected files that are not among those `before` it. */
function withCreated(process: BackgroundCommandHandle, known: ProtectedFiles, viewOf: () => SandboxView | string): BackgroundCommandHandle {
  let before = known;
  return {
    ...process,
    onCreated(listener) {
      const look = () => {
        const now = viewOf();
        if (typeof now === "string") return;
        const created = newProtectedFiles(before, now);
        before = protectedFiles(now);
        if (created.length > 0) listener(created);
      };
      const timer = setInterval(look, LOOK_MS).unref();
      process.onEnd(() => {
        clearInterval(timer);
        look();
      });
    },
  };
}
