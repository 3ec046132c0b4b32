import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { root } from "./process.mjs";

const lock = path.join(root, ".turbo", "bootstrap.lock");
let held = false;

/** Two terminals may start at once in a fresh checkout. One installs and builds, and the other waits. */
export function exclusively(work) {
  if (held) return work();
  mkdirSync(path.dirname(lock), { recursive: true });
  while (!taken()) sleep(100);
  held = true;
  process.once("exit", release);
  const result = work();
  process.off("exit", release);
  release();
  return result;
}

function taken() {
  try {
    writeFileSync(lock, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
    if (isStale()) rmSync(lock, { force: true });
    return false;
  }
}

function release() {
  held = false;
  rmSync(lock, { force: true });
}

function isStale() {
  try {
    const owner = Number(readFileSync(lock, "utf8"));
    return owner > 0 ? !isAlive(owner) : Date.now() - statSync(lock).mtimeMs > 5000;
  } catch (error) {
    if (error.code === "ENOENT") return false;
    throw error;
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}

function sleep(ms) {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
