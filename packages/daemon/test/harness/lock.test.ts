import { spawn } from "node:child_process";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { refusalOf } from "@baton/core/client/rpc-errors";
import { TestDaemon } from "../support/daemon.ts";
import { script } from "../support/script.ts";
import { record } from "./record.ts";

const libsql = fileURLToPath(import.meta.resolve("libsql"));

/** Another program that locks the store until the test releases it. */
async function foreignLock(file: string): Promise<{ release: () => Promise<void> }> {
  const code = `const driver = new (require(${JSON.stringify(libsql)}))(${JSON.stringify(file)}); driver.exec("BEGIN IMMEDIATE"); console.log("locked"); process.stdin.once("data", () => { driver.exec("COMMIT"); process.exit(); });`;
  const holder = spawn(process.execPath, ["-e", code], { stdio: ["pipe", "pipe", "inherit"] });
  await new Promise((locked) => holder.stdout.once("data", locked));
  return {
    release: async () => {
      const ended = new Promise((end) => holder.once("exit", end));
      holder.stdin.write("\n");
      await ended;
    },
  };
}

test("while another program locks the store, commands are refused, everything else is answered, and work continues after the lock", async () => {
  await using daemon = await TestDaemon.start();
  const words = script(daemon, [{ text: "one" }, { text: "two" }, { text: "three" }]);
  const session = await daemon.session({ model: words });
  await session.runTurn("before");
  const lock = await foreignLock(path.join(daemon.home, "baton.db"));
  let longest = 0;
  let watching = true;
  const watch = (async () => {
    while (watching) {
      const began = performance.now();
      await fetch(`http://127.0.0.1:${daemon.discovery.port}/healthz`);
      longest = Math.max(longest, performance.now() - began);
    }
  })();
  const tries = 10;
  let refused = 0;
  for (let n = 0; n < tries; n++) {
    const answer = await session.prompt("meanwhile").catch(refusalOf);
    if (answer && "code" in answer && answer.code === "stalled") refused++;
    expect(await daemon.connect().api.session.list.query({})).toHaveLength(1);
  }
  watching = false;
  await watch;
  await lock.release();
  await session.runTurn("after", 2);
  console.log(`the longest wait for a sign of life: ${longest.toFixed(0)} ms`);
  record({ row: "6", tried: tries, lost: tries - refused });
  expect(refused).toBe(tries);
  expect(session.events.filter(({ type }) => type === "prompt.received")).toHaveLength(2);
});

test("a client whose position is after the end of the log has to open the session again", async () => {
  await using daemon = await TestDaemon.start();
  const session = await daemon.session({ model: script(daemon, [{ text: "one" }]) });
  await session.runTurn("hi");
  const { api } = daemon.connect();
  const outcome = await new Promise<unknown>((resolve) =>
    api.session.follow.subscribe({ sessionId: session.id, after: session.events.length + 1 }, { onError: resolve, onData: resolve }),
  );
  record({ row: "13", tried: 1, lost: refusalOf(outcome)?.code === "resync" ? 0 : 1 });
  expect(refusalOf(outcome)).toMatchObject({ code: "resync" });
});
