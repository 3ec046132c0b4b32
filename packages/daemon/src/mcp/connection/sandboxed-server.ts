import { existsSync, realpathSync } from "node:fs";
import path from "node:path";
import type { ServerSandbox } from "@baton/core/protocol/config/mcp";
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
  if (isBelow(realpathSync(home), cwd))
    throw new Error(
      `${name} could not be started in the sandbox, because its folder ${launch.cwd} contains your home folder. Set another \`cwd\`.`,
    );
  if (leavesWorkspace(launch.cwd, workspace))
    throw new Error(
      `${name} could not be started in the sandbox, because its folder ${launch.cwd} is a link that leads out of ${workspace}. Set another \`cwd\`.`,
    );
  const named = (entries: readonly string[]) => entries.map((entry) => ({ entry, file: fileOf(entry, launch.cwd, home) }));
  const open = (entries: readonly string[]) =>
    named(entries).flatMap(({ file }) => (existsSync(file) && !leavesWorkspace(file, workspace) ? realpathSync(file) : []));
  const changes = open(writes);
  const visible = [workspace, ...open(reads)];
  const all = named([...writes, ...reads]);
  const missing = all.filter(({ file }) => !existsSync(file));
  const leaving = all.filter(({ file }) => leavesWorkspace(file, workspace));
  if (missing.length > 0) notify(`does not exist, so it stays closed: ${namesOf(missing)}`);
  if (leaving.length > 0) notify(`is a link that leads out of the workspace, so it stays closed: ${namesOf(leaving)}`);
  const entry = hosts.length > 0 ? await network({ name, workspace, hosts, notify }) : undefined;
  if (typeof entry === "string")
    throw new Error(`${name} could not be started in the sandbox, because there is no network for ${hosts.join(", ")}: ${entry}.`);
  const boxed = box.wrap(
    { file: launch.command, args: launch.args },
    {
      cwd,
      // In a folder that can be changed as a whole, the files that git executes stay read-only.
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

const fileOf = (entry: string, folder: string, home: string): string =>
  entry === "~" || entry.startsWith("~/") ? path.join(home, entry.slice(1)) : path.resolve(folder, entry);

/** Whether a path in the workspace leads out of it. A project or an agent can make such a link, so it opens nothing. */
function leavesWorkspace(file: string, workspace: string): boolean {
  return isBelow(file, workspace) && existsSync(file) && !isBelow(realpathSync(file), realpathSync(workspace));
}

const namesOf = (entries: readonly { entry: string }[]): string => entries.map(({ entry }) => entry).join(", ");

const isBelow = (file: string, folder: string): boolean => path.relative(folder, file).split(path.sep)[0] !== "..";
