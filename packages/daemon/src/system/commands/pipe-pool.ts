import { execFile } from "node:child_process";
import { closeSync, constants, existsSync, openSync, unlinkSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { Socket } from "node:net";
import path from "node:path";
import { promisify } from "node:util";

/** `write`: a descriptor to pass to a program and then to close. `read` ends when no process has the other end open. */
export type Pipe = { read: Socket; write: number };

/** Pipes for both outputs of a program. */
type Pipes = { take(): Promise<Pipe | undefined>; close(): Promise<void> };

const BATCH = 64;
const LOW = 16;

/**
 * Keeps a supply of pipes. Node gives a child two sockets, which lose the order of its two outputs, and `/dev/stderr` cannot be opened.
 * Named pipes have neither problem; they are made in batches and unlinked when taken. If they cannot be made, `take` returns undefined, and
 * the caller uses Node's sockets.
 */
export async function openPipes(folder: string): Promise<Pipes> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await removeLeft(folder);
  const own = await mkdtemp(path.join(folder, `pipes-${process.pid}-`));
  const stock: string[] = [];
  let made = 0;
  let isAble = true;
  let refilling: Promise<void> | undefined;

  async function refill(): Promise<void> {
    const names = Array.from({ length: BATCH }, () => path.join(own, String(made++)));
    try {
      await promisify(execFile)("mkfifo", ["-m", "600", ...names]);
      stock.push(...names);
    } catch {
      // mkfifo is missing, or the disk does not support pipes. Do not try again.
      isAble = false;
    }
    refilling = undefined;
  }
  const restock = () => {
    if (isAble && stock.length < LOW) refilling ??= refill();
  };

  return {
    async take() {
      restock();
      if (stock.length === 0) await refilling;
      const name = stock.pop();
      return name === undefined ? undefined : openPipe(name);
    },
    async close() {
      isAble = false;
      await refilling;
      await rm(own, { recursive: true, force: true });
    },
  };
}

/** Removes pipes that a killed daemon left. */
async function removeLeft(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const pid = /^pipes-(\d+)-/.exec(name)?.[1];
    if (pid !== undefined && !existsSync(`/proc/${pid}`) && process.platform === "linux")
      await rm(path.join(folder, name), { recursive: true, force: true });
  }
}

function openPipe(name: string): Pipe {
  const reading = openSync(name, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const write = openSync(name, constants.O_WRONLY);
    return { read: new Socket({ fd: reading, readable: true, writable: false }), write };
  } catch (error) {
    closeSync(reading);
    throw error;
  } finally {
    unlinkSync(name);
  }
}
