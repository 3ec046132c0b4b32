import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { worktreeGit } from "../files/worktree-git.ts";

export type Program = { file: string; args: readonly string[] };

/** Isolates commands. They can read the machine, and write only in the workspace and in the caches of package managers. */
export type Sandbox = {
  name: string;
  /**
   * The same program in the sandbox. `cwd`: the workspace as a real path. `writable`: more folders that the program may write.
   * `keepsNetwork`: it uses the network of the process that starts it, whatever the option `network` says.
   */
  wrap: (program: Program, cwd: string, writable?: readonly string[], how?: { keepsNetwork: boolean }) => Program;
};

export type SandboxOptions = {
  /** Folders that are invisible in the sandbox. */
  hidden: readonly string[];
  network: boolean;
};

const FILE = "/usr/bin/bwrap";
const PROBE_MS = 5_000;

/** Folders that builds and package managers write constantly, and whose content is never executed by others. */
const CACHES = [".cache", ".npm/_cacache", ".local/share/pnpm/store", ".cargo/registry", ".gradle/caches", ".m2/repository", "go/pkg"];

/** Files that git and editors execute, so commands must not write them. */
const STEERING = [".git/hooks", ".git/config", ".vscode", ".husky"];

/** bubblewrap with its own process namespace, and without network if that is off. `git add` and builds work in it. */
export function bubblewrap({ hidden, network }: SandboxOptions): Sandbox {
  const before = ["--die-with-parent", "--unshare-pid", "--unshare-ipc", "--unshare-uts"];
  const machine = ["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp"];
  const caches = CACHES.map((name) => path.join(homedir(), name)).flatMap((folder) => ["--bind-try", folder, folder]);
  const masks = hidden.filter((folder) => existsSync(folder)).flatMap((folder) => ["--tmpfs", folder]);
  return {
    name: "bubblewrap",
    wrap: ({ file, args }, cwd, writable = [], { keepsNetwork } = { keepsNetwork: network }) => {
      const own = keepsNetwork ? [] : ["--unshare-net"];
      const folders = [cwd, ...writable].flatMap((folder) => ["--bind", folder, folder]);
      const steering = [cwd, ...writable].flatMap((folder) => STEERING.map((name) => path.join(folder, name)));
      const guarded = steering.flatMap(readOnly);
      const workspace = [...folders, ...gitBinds([cwd, ...writable]), ...guarded, "--chdir", cwd];
      return { file: FILE, args: [...before, ...own, ...machine, ...caches, ...masks, ...workspace, "--", file, ...args] };
    },
  };
}

/** A path below a file, such as `.git/hooks` in a worktree, does not exist and cannot be bound. */
const readOnly = (place: string): string[] => (existsSync(place) ? ["--ro-bind", place, place] : []);

/** The git folders of worktrees, which are outside of them. Commits write there, and what git executes is read-only. */
const gitBinds = (folders: readonly string[]): string[] =>
  folders.flatMap((folder) => {
    const git = worktreeGit(folder);
    if (!git) return [];
    const hooks = path.join(git.common, "hooks");
    const steering = [path.join(git.common, "config"), path.join(git.own, "config.worktree"), git.link];
    const ownHooks = existsSync(hooks) ? readOnly(hooks) : ["--tmpfs", hooks]; // what is written there vanishes with the command
    return ["--bind", git.common, git.common, ...ownHooks, ...steering.flatMap(readOnly)];
  });

/** Checks whether the sandbox works on this machine. `why`: the reason if not. */
export async function probeSandbox(sandbox: Sandbox, cwd: string): Promise<{ works: true } | { works: false; why: string }> {
  if (!existsSync(FILE)) return { works: false, why: "bubblewrap is not installed (package bubblewrap)" };
  const { file, args } = sandbox.wrap({ file: "/bin/true", args: [] }, cwd);
  const child = spawn(file, args, { stdio: ["ignore", "ignore", "pipe"], timeout: PROBE_MS });
  let stderr = "";
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  const code = await new Promise<number | null>((resolve) => {
    child.once("error", () => resolve(null));
    child.once("close", resolve);
  });
  return code === 0 ? { works: true } : { works: false, why: stderr.trim().split("\n")[0] || `it ended with ${code}` };
}
