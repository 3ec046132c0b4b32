import { existsSync, readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { record } from "../harness/record.ts";
import { TestDaemon } from "../support/daemon.ts";
import { script } from "../support/script.ts";

/** The fork bomb stops after this many doublings if nothing else stops it. */
const DOUBLINGS = Number(process.env["BATON_DOUBLINGS"] ?? 9);
const MEGABYTES = Number(process.env["BATON_MEGABYTES"] ?? 600);

/** Harmful commands that a model might run. Each of them stops by itself, so it does no harm here. */
const bombs: Record<string, { text: string; says: RegExp }> = {
  "forks without end": {
    text: `fork() { if [ $1 -ge ${DOUBLINGS} ]; then sleep 60; else fork $(($1 + 1)) & fork $(($1 + 1)) & wait; fi; }; fork 0`,
    says: /more than the limit of 60/,
  },
  "leaves its group with each fork": {
    text: "n=0; while [ $n -lt 300 ]; do setsid sleep 60 & n=$((n + 1)); done; wait",
    says: /more than the limit of 60/,
  },
  "takes memory without end": {
    text: `{ head -c ${MEGABYTES}m /dev/zero; sleep 60; } | tail | wc -c`,
    says: /more than the limit of 200 MB/,
  },
};

/** The processes of this command that still run. */
const leftOf = (call: string): string[] =>
  readdirSync("/proc").filter(
    (pid) => /^\d+$/.test(pid) && read(`/proc/${pid}/environ`).includes(call) && !read(`/proc/${pid}/stat`).includes(") Z "),
  );

function read(file: string): string {
  try {
    return readFileSync(file, "latin1");
  } catch {
    return ""; // it ended in the meantime
  }
}

test.for(Object.entries(bombs))("a command that %s harms only itself", { timeout: 120_000 }, async ([, { text, says }]) => {
  await using daemon = await TestDaemon.start({
    config: {
      permissions: [{ action: "command", resource: "*", effect: "allow" }],
      limits: { commandProcesses: 60, commandMemory: 200 },
    },
  });
  daemon.write("bomb.sh", text);
  const call = (command: string) => ({ calls: [{ tool: "run_command", input: { command } }] });
  const session = await daemon.session({ model: script(daemon, [call("bash bomb.sh"), call("echo still here"), { text: "Done." }]) });
  const other = await daemon.session({
    model: script(
      daemon,
      Array.from({ length: 500 }, () => ({ text: "said" })),
    ),
  });
  await session.prompt("go");
  const answers: number[] = [];
  const ended = session.until("the end of it", ({ events }) => events.some(({ type }) => type === "tool.finished"));
  let isGoing = true;
  const asking = (async () => {
    for (let n = 1; isGoing && n <= 400; n++) {
      const began = performance.now();
      await other.prompt("hi");
      await other.untilEnd(n);
      answers.push(performance.now() - began);
    }
  })();
  await ended;
  isGoing = false;
  await asking;
  await session.untilEnd();
  const [bomb, after] = session.events.filter((event) => event.type === "tool.finished");
  console.log(
    `${answers.length} turns of another session meanwhile, each within ${Math.round(answers.sort((a, b) => a - b).at(-1) ?? 0)} ms`,
  );
  expect(bomb?.result.text).toMatch(says);
  expect(after?.result).toMatchObject({ outcome: "ok", text: expect.stringContaining("still here") as string });
  expect(leftOf(`${daemon.discovery.bootId}.${session.id}/`)).toEqual([]);
  expect(existsSync(`/proc/${daemon.pid}`)).toBe(true);
  record({ row: "30", tried: 1, lost: 0 });
});

test("a background process of a command has the same limits, and reports why it ended", { timeout: 120_000 }, async () => {
  await using daemon = await TestDaemon.start({
    config: { permissions: [{ action: "command", resource: "*", effect: "allow" }], limits: { commandProcesses: 20 } },
  });
  daemon.write("many.sh", "n=0; while [ $n -lt 100 ]; do sleep 60 & n=$((n + 1)); done; wait");
  const session = await daemon.session({
    model: script(daemon, [
      { calls: [{ tool: "run_command", input: { command: "bash many.sh", background: true } }] },
      { text: "It runs." },
      { calls: [{ tool: "command_output", input: { id: "s1.1" } }] },
      { text: "Done." },
    ]),
  });
  await session.prompt("start it");
  await session.until("its end", ({ events }) => events.some((event) => event.type === "process.ended" && event.reason === "stopped"));
  await session.untilEnd();
  await session.runTurn("what came of it?", 2);
  const finished = session.events.filter((event) => event.type === "tool.finished").at(-1);
  expect(finished?.result.text).toMatch(/more than the limit of 20, so Baton ended it/);
  record({ row: "30", tried: 1, lost: 0 });
});
