import { createHash } from "node:crypto";
import { accessSync, constants, existsSync, mkdirSync, readlinkSync, realpathSync, statSync, lstatSync } from "node:fs";
import path from "node:path";
import { enclosingRepository, gitBinds, nestedGitBinds } from "./git-binds.ts";
import { afterMountCheck, bindArgumentCount } from "./verify-mounts.ts";
import { closedSystemFiles, isAtOrBelow, systemFolders, TOOLCHAIN_CREDENTIALS, toolchainFolders } from "./visible-folders.ts";
import type { ProgramCommand, Sandbox, SandboxView } from "./sandbox.ts";

export type SandboxOptions = {
  /** The folder of the daemon in which each workspace has a private home and a folder for temporary files. */
  folder: string;
  /** The home of the user. */
  home: string;
  /** The user's search path for programs. */
  searchPath: string;
  /** Files with the certificates that programs trust, outside of the system. */
  certificates?: readonly string[];
  network: boolean;
};

export const BUBBLEWRAP = "/usr/bin/bwrap";

/** Variables that name a folder for temporary files, which would be missing inside. Programs then use /tmp. */
const OWN_TEMPORARY = ["TMPDIR", "TMP", "TEMP"].flatMap((name) => ["--unsetenv", name]);

const DEVICES = "/dev";
/** Settings of the kernel, which root could change inside as well. Source: the read-only paths of the OCI runtime specification. */
const READ_ONLY = ["sys", "sysrq-trigger", "irq", "bus", "fs"].flatMap((name) => ["--ro-bind-try", `/proc/${name}`, `/proc/${name}`]);
const KERNEL = ["--dev", DEVICES, "--proc", "/proc", ...READ_ONLY, "--tmpfs", "/run", "--symlink", "/run", "/var/run"];

/** Files in /etc that only root and special groups may read, and the socket of Nix, whose daemon builds and downloads outside of the sandbox. */
const CLOSED = [
  "/nix/var/nix/daemon-socket",
  "/etc/shadow",
  "/etc/shadow-",
  "/etc/gshadow",
  "/etc/gshadow-",
  "/etc/sudoers",
  "/etc/sudoers.d",
  "/etc/ssh",
];

/**
 * bubblewrap with its own process namespace, and without network if that is off. A program sees the system, the toolchains of the user, and
 * the workspace. The home folder is a private one for each workspace, so caches stay warm and nothing in it reaches the user's own programs.
 */
export function bubblewrap({ folder, home: namedHome, searchPath, certificates = [], network }: SandboxOptions): Sandbox {
  const home = realOf(namedHome);
  const namespaces = [
    "--die-with-parent",
    "--cap-drop",
    "ALL",
    "--unshare-user-try",
    "--unshare-pid",
    "--unshare-ipc",
    "--unshare-uts",
    "--unshare-cgroup-try",
  ];
  const closed = [...new Set([...CLOSED.filter(isReadable), ...closedSystemFiles()])];
  const machine = [...KERNEL, ...systemFolders().flatMap(systemBind), ...closed.flatMap(hide)]; // a folder in /run is made after /run
  const machinePoints = pointsOf(machine);
  const toolchains = [
    ...toolchainFolders(home, searchPath).flatMap((each) => ["--ro-bind-try", realOf(each), each]),
    ...TOOLCHAIN_CREDENTIALS.map((name) => path.join(home, name)).flatMap(hide), // a folder above them may be in the search path
    ...certificates.flatMap((each) => ["--ro-bind-try", realOf(each), each]),
  ];
  return {
    name: "bubblewrap",
    wrap: (program: ProgramCommand, view: SandboxView) => {
      const own = privateFolders(folder, view);
      const privates = ["--bind", own.temporary, "/tmp", "--bind", own.temporary, "/var/tmp", "--bind", own.home, home];
      const binds = workspaceBinds(view);
      const link = home === namedHome ? [] : ["--bind", own.home, namedHome];
      const user = [...privates, ...link, ...toolchains, ...binds];
      const isApart = !pointsOf(user).some((point) => machinePoints.some((other) => overlap(point, other)));
      const checked = afterMountCheck(program, binds, isApart ? DEVICES : undefined);
      return {
        file: BUBBLEWRAP,
        args: [
          ...namespaces,
          ...OWN_TEMPORARY,
          ...((view.keepsNetwork ?? network) ? [] : ["--unshare-net"]),
          ...(isApart ? [...user, ...machine] : [...machine, ...user]),
          "--chdir",
          view.cwd,
          "--",
          checked.file,
          ...checked.args,
        ],
      };
    },
  };
}

/** The paths inside at which mount arguments make something. */
function pointsOf(mounts: readonly string[]): string[] {
  const points: string[] = [];
  for (let at = 0; at < mounts.length;) {
    const length = bindArgumentCount(mounts[at] ?? "");
    points.push(mounts[at + length] ?? "");
    at += length + 1;
  }
  return points;
}

const overlap = (one: string, other: string): boolean => isAtOrBelow(one, other) || isAtOrBelow(other, one);

/** A folder at the root of the machine is often a link, such as `/bin`. */
const systemBind = (folder: string): string[] =>
  lstatSync(folder).isSymbolicLink() ? ["--symlink", readlinkSync(folder), folder] : ["--ro-bind", folder, folder];

/** Modes that may change less have folders of their own. Otherwise they could leave files there that commands of the other modes execute. */
function privateFolders(folder: string, { cwd, edits = "all", changes = [] }: SandboxView): { home: string; temporary: string } {
  const key = edits === "all" ? cwd : `${cwd}\n${edits === "none" && changes.length > 0 ? "some" : edits}`;
  const name = createHash("sha256").update(key).digest("hex").slice(0, 16);
  const [home, temporary] = [path.join(folder, name, "home"), path.join(folder, name, "tmp")];
  for (const each of [home, temporary]) mkdirSync(each, { recursive: true, mode: 0o700 });
  return { home, temporary };
}

function workspaceBinds({
  cwd,
  writable = [],
  edits = "all",
  changes = [],
  visible = [],
  hidden = [],
  readOnly = [],
  repositories = [],
}: SandboxView): string[] {
  const folders = [cwd, ...writable];
  const isWritable = edits === "all";
  const nested = repositories.filter((git) => !folders.includes(path.dirname(git)) || !isFolder(git));
  const isWritableAt = (file: string) => isWritable || changes.some((folder) => isAtOrBelow(file, folder));
  const around = folders.map(enclosingRepository).filter((each) => each !== undefined);
  return [
    ...visible.flatMap((each) => ["--ro-bind-try", each, each]),
    ...around.flatMap((each) => ["--ro-bind", each, each]),
    ...folders.flatMap((each) => [isWritable ? "--bind" : "--ro-bind", each, each]),
    ...changes.flatMap((each) => ["--bind-try", each, each]),
    ...folders.flatMap((each) => gitBinds(each, isWritable)),
    ...nested.flatMap((git) => nestedGitBinds(git, isWritableAt(git))),
    ...readOnly.filter((each) => existsSync(each)).flatMap((each) => ["--ro-bind", each, each]),
    ...hidden.flatMap(hide),
  ];
}

/** An empty folder or file in place of an existing one. */
function hide(file: string): string[] {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (!stats) return [];
  return stats.isDirectory() ? ["--tmpfs", file] : ["--ro-bind", "/dev/null", file];
}

function isReadable(file: string): boolean {
  try {
    accessSync(file, constants.R_OK);
    return true;
  } catch {
    return false; // it is missing, or a program inside could not read it either
  }
}

const isFolder = (file: string): boolean => lstatSync(file, { throwIfNoEntry: false })?.isDirectory() === true;

const realOf = (file: string): string => (existsSync(file) ? realpathSync(file) : file);
