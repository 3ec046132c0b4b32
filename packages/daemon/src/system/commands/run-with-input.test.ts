import { expect, test } from "vitest";
import { runWithInput } from "./run-with-input.ts";

/** Keeps the event loop busy, like a daemon on a busy machine, until `stop` is called. */
function blockEventLoop(milliseconds: number): { stop: () => void } {
  let isOver = false;
  const lock = new Int32Array(new SharedArrayBuffer(4));
  const block = () => {
    Atomics.wait(lock, 0, 0, milliseconds);
    if (!isOver) setImmediate(block);
  };
  setImmediate(block);
  return { stop: () => void (isOver = true) };
}

test("the whole output arrives, although the event loop is busy when the program ends and a process that left its group holds the pipes", async () => {
  const { stop } = blockEventLoop(150);
  const programs = Array.from({ length: 20 }, (_, i) => ({
    file: "/bin/sh",
    args: [
      "-c",
      `input=$(cat); ${i % 2 ? "setsid sleep 3 & " : ""}sleep 0.${i}; echo "$input"; head -c ${i * 20_000} /dev/zero | tr '\\0' x`,
    ],
    cwd: "/",
    env: { PATH: process.env["PATH"] ?? "" },
    timeoutMs: 60_000,
    tag: `${process.pid}.output/${i}`,
    endsAll: true,
  }));
  const exits = await Promise.all(programs.map((program, i) => runWithInput(program, `answer ${i}`, new AbortController().signal)));
  stop();
  expect(exits).toEqual(programs.map((_, i) => ({ code: 0, stdout: `answer ${i}\n${"x".repeat(i * 20_000)}`, stderr: "" })));
});
