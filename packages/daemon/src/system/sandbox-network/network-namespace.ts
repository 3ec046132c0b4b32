import { spawn, type ChildProcessByStdio } from "node:child_process";
import { existsSync, readFileSync, readlinkSync } from "node:fs";
import type { Server, Socket } from "node:net";
import type { Readable } from "node:stream";
import { PROCESS_TAG } from "../platform/process-tree.ts";
import type { ProgramCommand } from "../sandbox/sandbox.ts";
import { openSocketHelper, type SocketHelper } from "./namespace-sockets.ts";

/** A network of its own, with only a loopback device. Programs that enter it reach each other and nothing else. */
export type NetworkNamespace = {
  /** The same program inside of the network. */
  wrap: (program: ProgramCommand) => ProgramCommand;
  /** A server on a free port of the loopback device inside, whose connections the daemon accepts. */
  listen: () => Promise<{ server: Server; port: number }>;
  /** A connection to a port of the loopback device inside. */
  connect: (port: number) => Promise<Socket>;
  /** The TCP ports on which programs listen inside. */
  ports: () => number[];
  /** Aborts when the network no longer exists. */
  ended: AbortSignal;
  close: () => void;
};

const BUBBLEWRAP = "/usr/bin/bwrap";
const NSENTER = "/usr/bin/nsenter";
/** A busy machine takes long to start a process. */
const OPEN_MS = 30_000;

/**
 * Creates a network namespace. A process that only sleeps holds it, and dies with the daemon. `tag` identifies that process, so that it can be
 * swept. Rejects with a sentence for the user if the system does not allow it.
 */
export async function openNamespace(tag: string, bubblewrap = BUBBLEWRAP): Promise<NetworkNamespace> {
  const missing = [bubblewrap, NSENTER].find((file) => !existsSync(file));
  if (missing !== undefined) throw new Error(`${missing} is not installed, so sandboxed commands have no network.`);
  const env = { PATH: "/usr/bin:/bin", [PROCESS_TAG]: tag };
  const holder = spawn(bubblewrap, [...HOLDER, "--", "sh", "-c", REPORT_AND_SLEEP], { env, stdio: ["ignore", "pipe", "pipe"] });
  const over = new AbortController();
  holder.once("exit", () => over.abort());
  holder.once("error", () => over.abort());
  const pid = await pidInside(holder);
  const enter = [NSENTER, "-t", String(pid), ...(hasOwnUser(pid) ? ["-U", "--preserve-credentials"] : []), "-n", "--"];
  const wrap = ({ file, args }: ProgramCommand): ProgramCommand => ({ file: NSENTER, args: [...enter.slice(1), file, ...args] });
  const helper: SocketHelper = openSocketHelper((program) => wrap(program), env);
  return {
    wrap,
    listen: helper.listen,
    connect: helper.connect,
    ports: () => listeningPorts(pid),
    ended: over.signal,
    close() {
      helper.close();
      holder.kill("SIGKILL");
    },
  };
}

const HOLDER = ["--die-with-parent", "--unshare-user-try", "--unshare-net", "--dev-bind", "/", "/"];

/**
 * The process in the namespace reports its id itself. The `--info-fd` of bubblewrap reports it before the users of the namespace are mapped,
 * and a program that enters it then may create no namespace of its own.
 */
const REPORT_AND_SLEEP = "echo $$; exec sleep infinity";

async function pidInside(holder: ChildProcessByStdio<null, Readable, Readable>): Promise<number> {
  const found = Promise.withResolvers<number | undefined>();
  let problem = "";
  let text = "";
  holder.stderr.on("data", (chunk: Buffer) => (problem += chunk.toString()));
  holder.stdout.on("data", (chunk: Buffer) => {
    text += chunk.toString();
    if (text.endsWith("\n")) found.resolve(Number(text));
  });
  const fail = () => found.resolve(undefined);
  holder.once("close", fail); // all of its output has been read then
  holder.once("error", fail);
  const limit = setTimeout(fail, OPEN_MS);
  const pid = await found.promise;
  clearTimeout(limit);
  if (pid !== undefined) return pid;
  holder.kill("SIGKILL");
  throw new Error(`The sandbox has no network here: ${problem.trim().split("\n")[0] || "bubblewrap did not start"}.`);
}

const hasOwnUser = (pid: number): boolean => readlinkSync(`/proc/${pid}/ns/user`) !== readlinkSync("/proc/self/ns/user");

/** Reads the kernel's tables of TCP sockets as a process sees them. State 0A is LISTEN. */
function listeningPorts(pid: number): number[] {
  const rows = ["tcp", "tcp6"].flatMap((table) => readTable(`/proc/${pid}/net/${table}`));
  const ports = rows.flatMap((row) => {
    const [, local = "", , state] = row.trim().split(/\s+/);
    return state === "0A" ? [Number.parseInt(local.split(":").at(-1) ?? "", 16)] : [];
  });
  return [...new Set(ports)];
}

function readTable(file: string): string[] {
  try {
    return readFileSync(file, "latin1").split("\n").slice(1);
  } catch {
    return []; // the namespace has ended
  }
}
