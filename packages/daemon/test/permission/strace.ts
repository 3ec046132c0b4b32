import { spawnSync } from "node:child_process";

/** The system's `strace`. If strace is missing, installs it where that is allowed. Undefined if there is none. */
export const stracePath: string | undefined = found() ?? installed();

function found(): string | undefined {
  const { status, stdout } = spawnSync("which", ["strace"], { encoding: "utf8" });
  return status === 0 ? stdout.trim() : undefined;
}

function installed(): string | undefined {
  if (process.getuid?.() === 0) {
    spawnSync("apt-get", ["update"], { stdio: "ignore" });
    spawnSync("apt-get", ["install", "-o", "DPkg::Lock::Timeout=300", "-y", "--no-install-recommends", "strace"], { stdio: "ignore" });
  }
  const path = found();
  if (path === undefined) console.warn("What commands really touch is not traced: there is no strace here. Install it.");
  return path;
}

/** The actions of a traced process. Paths are absolute. `write` is every change of content, name, mode or location. */
export type Deed = { kind: "read" | "write" | "exec" | "connect"; path: string };

const CALLS =
  "execve,execveat,open,openat,openat2,creat,connect,rename,renameat,renameat2,unlink,unlinkat,rmdir,mkdir,mkdirat,link,linkat,symlink,symlinkat,truncate,chmod,fchmodat,chown,lchown,fchownat,mknod,mknodat,utimensat,chdir,fchdir,clone,clone3,fork,vfork";

/** The arguments for strace that run `command` and write its actions to `into`. */
export const straceArguments = (into: string, command: readonly string[]): string[] => [
  "-f",
  "-qq",
  "-y",
  "-s",
  "4096",
  "-e",
  `trace=${CALLS}`,
  "-e",
  "signal=none",
  "-o",
  into,
  ...command,
];

/**
 * Reads the actions in a log of strace, by the folder in which each process started. A process belongs to the newest of `folders` that it
 * or one of its parents changed to. Failed calls did nothing and are left out.
 */
export function deedsIn(log: string, folders: ReadonlySet<string>): Map<string, Deed[]> {
  const deeds = new Map<string, Deed[]>();
  const cwds = new Map<string, string>();
  const owners = new Map<string, string>();
  const parents = parentsIn(log);
  const early = new Set<string>();
  const inherit = (child: string, parent: string) => {
    cwds.set(child, cwds.get(parent) ?? "/");
    const owner = owners.get(parent);
    if (owner !== undefined) owners.set(child, owner);
  };
  for (const [pid, call] of callsIn(log)) {
    const parent = parents.get(pid);
    if (!cwds.has(pid) && parent !== undefined) {
      inherit(pid, parent); // the call that started it has not returned in its parent yet
      early.add(pid);
    }
    const [, name = "", args = "", result = ""] = /^(\w+)\((.*)\)\s+= (-?\d+.*|\?.*)$/s.exec(call) ?? [];
    if (name === "" || result.startsWith("-1") || result.startsWith("?")) continue;
    const cwd = cwds.get(pid) ?? "/";
    const paths = [...args.matchAll(/(?:(?:AT_FDCWD|\d+)(?:<([^>]*)>)?, )?"((?:\\.|[^"\\])*)"/g)].map(([, at, text = ""]) =>
      absolute(unescaped(text), at ?? cwd),
    );
    const note = (kind: Deed["kind"], path: string) => {
      const owner = owners.get(pid);
      if (owner !== undefined) deeds.set(owner, [...(deeds.get(owner) ?? []), { kind, path }]);
    };
    if (/^(clone3?|v?fork)$/.test(name)) {
      const child = /^\d+/.exec(result)?.[0] ?? "";
      if (!early.delete(child)) inherit(child, pid);
    } else if (name === "chdir") {
      cwds.set(pid, paths[0] ?? cwd);
      if (folders.has(paths[0] ?? "")) owners.set(pid, paths[0] ?? "");
    } else if (name === "fchdir") cwds.set(pid, /^\d+<([^>]*)>/.exec(args)?.[1] ?? cwd);
    else if (name.startsWith("exec")) note("exec", paths[0] ?? "");
    else if (name === "connect") note("connect", args.replace(/^\d+<[^>]*>, /, ""));
    else if (name.startsWith("open") || name === "creat") {
      const isWriting = name === "creat" || /O_WRONLY|O_RDWR|O_CREAT|O_TRUNC/.test(args);
      if (isWriting || !/O_DIRECTORY|O_PATH/.test(args))
        note(isWriting ? "write" : "read", /^\d+<([^>]*)>/.exec(result)?.[1] ?? paths[0] ?? "");
    } else for (const path of /^(symlink|symlinkat)$/.test(name) ? paths.slice(-1) : paths) note("write", path);
  }
  return deeds;
}

/** The parent of each process of a log. */
const parentsIn = (log: string): Map<string, string> =>
  new Map(
    Array.from(callsIn(log)).flatMap(([pid, call]): [string, string][] => {
      const child = /^(?:clone3?|v?fork)\(.*\)\s+= (\d+)/s.exec(call)?.[1];
      return child === undefined ? [] : [[child, pid]];
    }),
  );

/** The system calls in a log, each with its process. A call that another process interrupted is joined. */
function* callsIn(log: string): Generator<[pid: string, call: string]> {
  const begun = new Map<string, string>();
  for (const line of log.split("\n")) {
    const [, pid = "", rest = ""] = /^(\d+)\s+(.*)$/s.exec(line) ?? [];
    const [, end] = /^<\.\.\. \w+ resumed>(.*)$/s.exec(rest) ?? [];
    if (end !== undefined) {
      yield [pid, (begun.get(pid) ?? "") + end];
      begun.delete(pid);
    } else if (rest.endsWith("<unfinished ...>")) begun.set(pid, rest.slice(0, -"<unfinished ...>".length).trimEnd());
    else if (pid !== "") yield [pid, rest];
  }
}

const absolute = (path: string, at: string): string => (path.startsWith("/") ? path : `${at}/${path}`);

const unescaped = (text: string): string => text.replaceAll(/\\(.)/gs, "$1");
