import type { Blobs } from "./files/blob.ts";
import { openBuffers, type Buffers } from "./files/editor-buffers.ts";
import type { Clock } from "./clock.ts";
import type { Bounds } from "./commands/resource-watch.ts";
import { openFiles, type Keep, type Resolve } from "./files/files.ts";
import type { Ports } from "./ports.ts";
import { noLibrary, type Library } from "./skill-library.ts";
import { openSearch } from "./files/search.ts";
import type { Sandbox } from "./commands/sandbox.ts";
import { openShell } from "./commands/shell.ts";
import { sweep } from "./commands/process-tree.ts";
import { openVersions, type Versions } from "./files/file-snapshots.ts";
import { openWeb, type Reach } from "./web-fetch.ts";
import { openUploads, type Uploads } from "./files/uploads.ts";

/** What one call may touch: the workspace it works in, its own path gate, and which files a search may show, where it may go in the web. */
export type Scope = {
  workspace: string;
  resolve: Resolve;
  mayRead: (relative: string) => boolean;
  mayGo: Reach["mayGo"];
  keep?: Keep;
  library?: Library;
};

/** The ports of the daemon. Files and search are bound to one call; shell and blobs are shared. */
export type OpenPorts = {
  uploads: Uploads;
  versions: Versions;
  buffers: Buffers;
  of: (scope: Scope) => Ports;
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
  bounds?: () => Bounds;
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
  const buffers = openBuffers();
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
    versions: openVersions(blobs, buffers),
    buffers,
    of: ({ workspace, resolve, mayRead, mayGo, keep, library = noLibrary }) => ({
      files: openFiles(resolve, { keep, mayRead, buffers }),
      search: openSearch({ workspace, resolve, mayRead }),
      shell,
      web: openWeb({ mayGo, mayReach }),
      blobs,
      clock,
      library,
    }),
    sweep: (earlier) => sweep(`${earlier}.`),
    stopSession: (sessionId) => shell.stopSession(sessionId),
    close: () => shell.close(),
  };
}
