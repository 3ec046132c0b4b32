import { existsSync, realpathSync } from "node:fs";
import path from "node:path";
import type { ServerSandbox } from "@baton/core/protocol/mcp";
import type { StdioProgram } from "../../system/commands/stdio-process.ts";
import type { Sandbox } from "../../system/sandbox/sandbox.ts";
import type { NetworkEntry } from "../../system/sandbox-network/sandbox-network.ts";

/** The sandbox of this daemon, as servers that are programs use it. */
export type ServerSandboxes = {
  /** A text says why there is none. */
  sandbox: () => Promise<Sandbox | string>;
  /** Opens a network that leads only to these hosts. A text says why there is none. */
  network: (server: ServerOfNetwork) => Promise<NetworkEntry | string>;
  home: string;
};

/** `notify`: receives a line about each connection that was refused. */
export type ServerOfNetwork = { name: string; workspace: string; hosts: readonly string[]; notify: (text: string) => void };

type SandboxedServer = Omit<ServerOfNetwork, "hosts"> & { launch: StdioProgram; access: ServerSandbox };

/**
 * The program of a server inside the sandbox. It reads its folder and the workspace, and has no other access than the declared one. Throws if
 * that is impossible: a server that should run inside never runs outside. `leave`: must be called when the program has ended.
 */
export async function sandboxedServer(
  { name, launch, access, workspace, notify }: SandboxedServer,
  { sandbox, network, home }: ServerSandboxes,
): Promise<{ program: StdioProgram; leave: () => void }> {
  const { reads = [], writes = [], hosts = [] } = access;
  const box = await sandbox();
  if (typeof box === "string")
    throw new Error(
      `${name} could not be started in the sandbox: ${box}. Fix that, or remove \`sandbox\` from the settings of the server.`,
    );
  const cwd = realpathSync(launch.cwd);
  if (path.relative(cwd, realpathSync(home)).split(path.sep)[0] !== "..")
    throw new Error(
      `${name} could not be started in the sandbox, because its folder ${launch.cwd} contains your home folder. Set another \`cwd\`.`,
    );
  const changes = existing(writes, launch.cwd, home);
  const visible = [workspace, ...existing(reads, launch.cwd, home)];
  const missing = [...writes, ...reads].filter((entry) => existing([entry], launch.cwd, home).length === 0);
  if (missing.length > 0) notify(`does not exist, so it stays closed: ${missing.join(", ")}`);
  const entry = hosts.length > 0 ? await network({ name, workspace, hosts, notify }) : undefined;
  if (typeof entry === "string")
    throw new Error(`${name} could not be started in the sandbox, because there is no network for ${hosts.join(", ")}: ${entry}.`);
  const boxed = box.wrap(
    { file: launch.command, args: launch.args },
    {
      cwd,
      // What git executes stays read-only in a folder that can be changed as a whole.
      ...(changes.includes(cwd) ? { edits: "all", writable: changes.filter((each) => each !== cwd) } : { edits: "none", changes }),
      visible: [...visible, ...(entry?.visible ?? [])],
      keepsNetwork: entry !== undefined,
    },
  );
  const { file, args } = entry?.wrap(boxed) ?? boxed;
  return {
    program: { command: file, args, cwd: launch.cwd, env: { ...launch.env, ...entry?.env } },
    leave: () => entry?.leave(),
  };
}

/** The real paths of the entries that exist. */
const existing = (entries: readonly string[], folder: string, home: string): string[] =>
  entries
    .map((entry) => (entry === "~" || entry.startsWith("~/") ? path.join(home, entry.slice(1)) : path.resolve(folder, entry)))
    .filter((file) => existsSync(file))
    .map((file) => realpathSync(file));
