import { readdirSync, readFileSync } from "node:fs";
import { setImmediate, setTimeout } from "node:timers/promises";

/** Every command carries this in its environment, so that what it leaves behind can be found. */
export const PROCESS_TAG = "BATON_CALL";

const PATIENCE_MS = 2_000;
const AT_ONCE = 50;
const MAX_ROUNDS = 20;

/** A process as /proc shows it. `start` tells it from a later one with the same id. */
type Seen = { pid: number; parent: number; group: number; start: string; mark: string | undefined; marked: boolean };

/**
 * Ends a command with all it has started: a polite signal to its group and to those who left it, two seconds or until
 * `hurry` aborts, then by force, until nobody is left who carries its mark.
 */
export async function endTree(leader: number, mark: string, hurry?: AbortSignal): Promise<void> {
  if (hurry?.aborted) signal(-leader, "SIGKILL");
  const strays = familyOf(leader, await look(`${mark}\0`)).filter(({ group }) => group !== leader);
  signal(-leader, "SIGTERM");
  for (const { pid } of strays) signal(pid, "SIGTERM");
  signal(-leader, "SIGCONT");
  await gone(leader, strays, hurry);
  signal(-leader, "SIGKILL");
  await sweepAll(`${mark}\0`, strays);
}

/** Ends by force every process whose mark begins like this: what a dead daemon or a closed session left behind. */
export async function sweepTagged(markPrefix: string): Promise<void> {
  await sweepAll(markPrefix, []);
}

/** Whether anybody of the group still runs; the dead whom nobody has buried do not count. */
export async function isGroupAlive(leader: number): Promise<boolean> {
  if (!isAlive(-leader)) return false;
  return process.platform !== "linux" || (await look()).some(({ group }) => group === leader);
}

/** Holds the group of a command up, so that it can be counted; `false` lets it go on. */
export function suspendGroup({ leader }: Tree, still: boolean): void {
  signal(-leader, still ? "SIGSTOP" : "SIGCONT");
}

/** A command that runs: the leader of its group, and the mark of all that it starts. */
export type Tree = { leader: number; mark: string };

/** How many processes each of these commands is, with all it has started, and how many bytes of memory are theirs alone. One look serves all. */
export async function usageOf<T extends Tree>(trees: readonly T[]): Promise<{ tree: T; processes: number; memory: number }[]> {
  const all = await look("");
  return trees.map((tree) => {
    const ours = all.map((each) => ({ ...each, marked: each.mark === tree.mark || each.group === tree.leader }));
    const family = familyOf(tree.leader, ours);
    return { tree, processes: family.length, memory: family.reduce((sum, { pid }) => sum + memoryOf(pid), 0) };
  });
}

const memoryOf = (pid: number): number => Number(/^RssAnon:\s+(\d+) kB$/m.exec(readProc(pid, "status"))?.[1] ?? 0) * 1024;

/** Here a mark ends with a NUL where it is meant whole. */
async function sweepAll(mark: string, known: readonly Seen[]): Promise<void> {
  let victims = new Set(known.map(identity));
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const all = await look(mark);
    const found = all.filter((each) => each.marked || victims.has(identity(each)));
    const wanted = [...found, ...found.flatMap(({ pid }) => familyOf(pid, all))];
    if (wanted.length === 0) return;
    for (const { pid } of wanted) signal(pid, "SIGKILL");
    victims = new Set([...victims, ...wanted.map(identity)]);
    await setTimeout(5);
  }
}

const identity = ({ pid, start }: Seen): string => `${pid} ${start}`;

/** All who carry the mark, and all who descend from the leader or from one of them. */
function familyOf(leader: number, all: readonly Seen[]): Seen[] {
  const family = new Set([leader, ...all.filter(({ marked }) => marked).map(({ pid }) => pid)]);
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

/** Waits until they have ended, at most two seconds. Nobody tells us of the end of a process that is not our child. */
async function gone(leader: number, strays: readonly Seen[], hurry: AbortSignal | undefined): Promise<void> {
  const until = performance.now() + PATIENCE_MS;
  for (let pause = 2; !hurry?.aborted && performance.now() < until && (await areLeft(leader, strays)); pause = Math.min(50, pause * 2))
    await setTimeout(pause);
}

async function areLeft(leader: number, strays: readonly Seen[]): Promise<boolean> {
  if (!isAlive(-leader) && strays.every(({ pid }) => !isAlive(pid))) return false;
  if (process.platform !== "linux") return true;
  const known = new Set(strays.map(identity));
  return (await look()).some((each) => each.group === leader || known.has(identity(each)));
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (!isGone(error)) throw error;
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    if (isGone(error)) return false;
    throw error;
  }
}

/** A process of another user counts as gone: it is not ours to end. */
const isGone = (error: unknown): boolean => error instanceof Error && "code" in error && (error.code === "ESRCH" || error.code === "EPERM");

async function look(mark?: string): Promise<Seen[]> {
  if (process.platform !== "linux") return [];
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  const found: Seen[] = [];
  for (const [i, pid] of pids.entries()) {
    if (i % AT_ONCE === AT_ONCE - 1) await setImmediate();
    const seen = lookAt(Number(pid), mark);
    if (seen) found.push(seen);
  }
  return found;
}

function lookAt(pid: number, mark: string | undefined): Seen | undefined {
  const stat = readProc(pid, "stat");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [state, parent, group] = fields;
  const start = fields[19];
  if (state === undefined || parent === undefined || group === undefined || start === undefined || state === "Z" || state === "X")
    return undefined;
  const own = mark === undefined || pid === process.pid ? undefined : markOf(pid);
  const marked = own !== undefined && mark !== undefined && `${own}\0`.startsWith(mark);
  return { pid, parent: Number(parent), group: Number(group), start, mark: own, marked };
}

function markOf(pid: number): string | undefined {
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
