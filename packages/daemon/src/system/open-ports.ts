import type { Blobs } from "./files/blob.ts";
import { openEditorBuffers, type EditorBuffers } from "./files/editor-buffers.ts";
import type { Clock } from "./clock.ts";
import type { CommandLimits } from "./commands/resource-watch.ts";
import { openFiles, type Keep, type Resolve } from "./files/files.ts";
import type { Ports } from "./ports.ts";
import { noLibrary, type SkillLibrary } from "./skill-library.ts";
import { openSearch } from "./files/search.ts";
import type { Sandbox } from "./commands/sandbox.ts";
import { openShell } from "./commands/shell.ts";
import { sweepTagged } from "./commands/process-tree.ts";
import { openFileSnapshots, type FileSnapshots } from "./files/file-snapshots.ts";
import { openWebFetcher, type Reach } from "./web-fetch.ts";
import { openUploads, type Uploads } from "./files/uploads.ts";

/** What one call may touch: the workspace it works in, its own path gate, and which files a search may show, where it may go in the web. */
export type PortScope = {
  workspace: string;
  resolve: Resolve;
  mayRead: (relative: string) => boolean;
  mayGo: Reach["mayGo"];
  keep?: Keep;
  library?: SkillLibrary;
};

/** The ports of the daemon. Files and search are bound to one call; shell and blobs are shared. */
export type OpenPorts = {
  uploads: Uploads;
  versions: FileSnapshots;
  buffers: EditorBuffers;
  of: (scope: PortScope) => Ports;
  /** Ends what an earlier daemon, which was killed, left running. */
  sweep: (bootId: string) => Promise<void>;
  /** Ends the commands that a session left running in the background. */
  stopSession: (sessionId: string) => Promise<void>;
  close: () => Promise<void>;
};

export type PortOptions = {
  bootId: string;
  folder: string;
  blobs: Blobs;
  clock: Clock;
  env: Readonly<Record<string, string | undefined>>;
  passEnv?: () => readonly string[];
  sandbox?: () => Sandbox | undefined;
  /** What each command may take of the machine. */
  bounds?: () => CommandLimits;
  /** When it aborts, commands that are being ended politely are ended by force. */
  hurry?: AbortSignal;
  /** Which addresses of the network may be connected to. */
  mayReach: Reach["mayReach"];
};

export async function openPorts({
  bootId,
  folder,
  blobs,
  clock,
  env,
  passEnv,
  sandbox,
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
    ...(passEnv ? { passEnv } : {}),
    ...(sandbox ? { sandbox } : {}),
  });
  return {
    uploads: openUploads(blobs),
    versions: openFileSnapshots(blobs, buffers),
    buffers,
    of: ({ workspace, resolve, mayRead, mayGo, keep, library = noLibrary }) => ({
      files: openFiles(resolve, { keep, mayRead, buffers }),
      search: openSearch({ workspace, resolve, mayRead }),
      shell,
      web: openWebFetcher({ mayGo, mayReach }),
      blobs,
      clock,
      library,
    }),
    sweep: (earlier) => sweepTagged(`${earlier}.`),
    stopSession: (sessionId) => shell.stopSession(sessionId),
    close: () => shell.close(),
  };
}
