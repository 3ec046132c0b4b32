import { readdirSync, readFileSync } from "node:fs";
import { setImmediate, setTimeout } from "node:timers/promises";
import { currentPlatform } from "./platform.ts";
import { endWindowsTree } from "./kill-windows-tree.ts";

/** The environment variable that identifies all processes of a command. */
export const PROCESS_TAG = "BATON_CALL";

const TERMINATION_MS = 2_000;
const AT_ONCE = 50;
const MAX_ROUNDS = 20;

/** A process in /proc. `start` distinguishes it from a later one with the same id. */
type ProcessInfo = { pid: number; parent: number; group: number; start: string; tag: string | undefined; isTagged: boolean };

/**
 * Ends a command and all processes that it started: SIGTERM to its group and to processes that left the group, then SIGKILL after two
 * seconds or when `forceSignal` aborts, until no process has its tag. Windows has no such signals, so the tree ends at once.
 */
export async function killProcessTree(leader: number, tag: string, forceSignal?: AbortSignal): Promise<void> {
  if (currentPlatform() === "windows") return endWindowsTree(leader);
  if (forceSignal?.aborted) signal(-leader, "SIGKILL");
  const strays = familyOf(leader, await readProcesses(`${tag}\0`)).filter(({ group }) => group !== leader);
  signal(-leader, "SIGTERM");
  for (const { pid } of strays) signal(pid, "SIGTERM");
  signal(-leader, "SIGCONT");
  await waitUntilEnded(leader, strays, forceSignal);
  signal(-leader, "SIGKILL");
  await sweepAll(`${tag}\0`, strays);
}

/** Kills every process whose tag begins with this prefix: those of a dead daemon or a closed session. */
export async function sweepTagged(tagPrefix: string): Promise<void> {
  await sweepAll(tagPrefix, []);
}

/** True if a process of the group is still running. Zombies do not count. On Windows only the leader is known. */
export async function isGroupAlive(leader: number): Promise<boolean> {
  if (currentPlatform() === "windows") return isAlive(leader);
  if (!isAlive(-leader)) return false;
  return currentPlatform() !== "linux" || (await readProcesses()).some(({ group }) => group === leader);
}

/** Whether a process of the group or with the tag is still running, as far as the system tells. */
export async function isAnyAlive(leader: number, tag: string): Promise<boolean> {
  if (currentPlatform() !== "linux") return true;
  return (await readProcesses(`${tag}\0`)).some(({ group, isTagged }) => group === leader || isTagged);
}

/** Suspends the group of a command, so that its processes can be counted. `false` resumes it. Windows cannot do that. */
export function suspendGroup({ leader }: ProcessTree, still: boolean): void {
  if (currentPlatform() === "windows") return;
  signal(-leader, still ? "SIGSTOP" : "SIGCONT");
}

/** A running command: the leader of its group, and the tag of its processes. */
export type ProcessTree = { leader: number; tag: string };

/** The number of processes and the private memory in bytes of each command. Reads /proc once for all commands. */
export async function usageOf<T extends ProcessTree>(trees: readonly T[]): Promise<{ tree: T; processes: number; memory: number }[]> {
  const all = await readProcesses("");
  return trees.map((tree) => {
    const ours = all.map((each) => ({ ...each, isTagged: each.tag === tree.tag || each.group === tree.leader }));
    const family = familyOf(tree.leader, ours);
    return { tree, processes: family.length, memory: family.reduce((sum, { pid }) => sum + memoryOf(pid), 0) };
  });
}

const memoryOf = (pid: number): number => Number(/^RssAnon:\s+(\d+) kB$/m.exec(readProc(pid, "status"))?.[1] ?? 0) * 1024;

/** A tag without a trailing NUL is a prefix. */
async function sweepAll(tag: string, known: readonly ProcessInfo[]): Promise<void> {
  let victims = new Set(known.map(identity));
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const all = await readProcesses(tag);
    const found = all.filter((each) => each.isTagged || victims.has(identity(each)));
    const wanted = [...found, ...found.flatMap(({ pid }) => familyOf(pid, all))];
    if (wanted.length === 0) return;
    for (const { pid } of wanted) signal(pid, "SIGKILL");
    victims = new Set([...victims, ...wanted.map(identity)]);
    await setTimeout(5);
  }
}

const identity = ({ pid, start }: ProcessInfo): string => `${pid} ${start}`;

/** All processes with the tag, and all descendants of the leader and of these. */
function familyOf(leader: number, all: readonly ProcessInfo[]): ProcessInfo[] {
  const family = new Set([leader, ...all.filter(({ isTagged }) => isTagged).map(({ pid }) => pid)]);
  for (let grew = true; grew;) {
    grew = false;
    for (const { pid, parent } of all) {
      if (family.has(pid) || !family.has(parent)) continue;
      family.add(pid);
      grew = true;
    }
  }
  return all.filter(({ pid }) => family.has(pid) && pid !== process.pid);
}

/** Waits at most two seconds until they have ended. The end of other processes than children must be polled. */
async function waitUntilEnded(leader: number, strays: readonly ProcessInfo[], forceSignal: AbortSignal | undefined): Promise<void> {
  const until = performance.now() + TERMINATION_MS;
  for (
    let pause = 2;
    !forceSignal?.aborted && performance.now() < until && (await areLeft(leader, strays));
    pause = Math.min(50, pause * 2)
  )
    await setTimeout(pause);
}

async function areLeft(leader: number, strays: readonly ProcessInfo[]): Promise<boolean> {
  if (!isAlive(-leader) && strays.every(({ pid }) => !isAlive(pid))) return false;
  if (currentPlatform() !== "linux") return true;
  const known = new Set(strays.map(identity));
  return (await readProcesses()).some((each) => each.group === leader || known.has(identity(each)));
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (!isEnded(error)) throw error;
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    if (isEnded(error)) return false;
    throw error;
  }
}

/** A process of another user counts as ended, because the daemon cannot end it. */
const isEnded = (error: unknown): boolean =>
  error instanceof Error && "code" in error && (error.code === "ESRCH" || error.code === "EPERM");

async function readProcesses(tag?: string): Promise<ProcessInfo[]> {
  if (currentPlatform() !== "linux") return []; // other systems do not show the environment of processes in files
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  const found: ProcessInfo[] = [];
  for (const [i, pid] of pids.entries()) {
    if (i % AT_ONCE === AT_ONCE - 1) await setImmediate();
    const seen = readProcess(Number(pid), tag);
    if (seen) found.push(seen);
  }
  return found;
}

function readProcess(pid: number, tag: string | undefined): ProcessInfo | undefined {
  const stat = readProc(pid, "stat");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [state, parent, group] = fields;
  const start = fields[19];
  if (state === undefined || parent === undefined || group === undefined || start === undefined || state === "Z" || state === "X")
    return undefined;
  const own = tag === undefined || pid === process.pid ? undefined : readTag(pid);
  const isTagged = own !== undefined && tag !== undefined && `${own}\0`.startsWith(tag);
  return { pid, parent: Number(parent), group: Number(group), start, tag: own, isTagged };
}

function readTag(pid: number): string | undefined {
  const variables = `\0${readProc(pid, "environ")}\0`;
  const at = variables.indexOf(`\0${PROCESS_TAG}=`);
  return at === -1 ? undefined : variables.slice(at + PROCESS_TAG.length + 2, variables.indexOf("\0", at + 1));
}

function readProc(pid: number, name: "stat" | "status" | "environ"): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "latin1");
  } catch (error) {
    if (error instanceof Error && "code" in error && ["ENOENT", "ESRCH", "EACCES", "EPERM"].includes(String(error.code))) return "";
    throw error;
  }
}
