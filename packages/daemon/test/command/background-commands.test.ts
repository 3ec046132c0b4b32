import { expect, test } from "vitest";
import { TestDaemon } from "../support/daemon.ts";
import { script } from "../support/script.ts";

const background = (command: string) => ({ tool: "run_command", input: { command, background: true } });

const config = { permissions: { command: "allow" } };

type Part = { start: number; text: string; end?: unknown };

/** Reads the output of a command until it ends or `enough` returns true. */
function follow(daemon: TestDaemon, sessionId: string, id: string, enough: (text: string) => boolean = () => false): Promise<Part[]> {
  return new Promise((resolve, reject) => {
    const parts: Part[] = [];
    const subscription = daemon.connect().api.command.follow.subscribe(
      { sessionId, id },
      {
        onData: ({ data }) => {
          parts.push(data);
          if (!data.end && !enough(parts.map(({ text }) => text).join(""))) return;
          subscription.unsubscribe();
          resolve(parts);
        },
        onError: reject,
      },
    );
  });
}

test("clients list background commands, follow their output and stop them", async () => {
  await using daemon = await TestDaemon.start({ config });
  const session = await daemon.session({
    model: script(daemon, [
      { calls: [background("echo up; sleep 1; echo later; sleep 300"), background("exit 3")] },
      { calls: [{ tool: "command_output", input: { id: "s1.1", wait_ms: 20_000 } }] },
      { text: "ok" },
    ]),
  });
  await session.prompt("go");
  await session.until("both", ({ events }) => events.filter(({ type }) => type === "process.started").length === 2);
  const parts = await follow(daemon, session.id, "s1.1", (text) => text.includes("later"));
  expect(parts.map(({ text }) => text).join("")).toBe("up\nlater\n");
  expect(parts.length).toBeGreaterThan(1); // the first line did not wait for the second

  const { api } = daemon.connect();
  await session.until("the end of one", ({ events }) => events.some(({ type }) => type === "process.ended"));
  const rows = await api.command.list.query({ sessionId: session.id });
  expect(rows.map(({ id, status, exitCode }) => ({ id, status, exitCode })).toSorted((a, b) => a.id.localeCompare(b.id))).toEqual([
    { id: "s1.1", status: "running" },
    { id: "s1.2", status: "exited", exitCode: 3 },
  ]);
  expect(await api.command.list.query({ workspace: "/nowhere" })).toEqual([]);

  const last = follow(daemon, session.id, "s1.1");
  expect(await api.command.stop.mutate({ sessionId: session.id, id: "s1.1" })).toMatchObject({ reason: "stopped", byUser: true });
  expect((await last).at(-1)?.end).toMatchObject({ reason: "stopped" });
  await session.untilEnd();
  expect(session.events.flatMap((event) => (event.type === "tool.finished" ? [event.result.text] : [])).at(-1)).toMatch(
    /^stopped by the user\nup\nlater\n/,
  );
  const ended = await api.command.list.query({});
  expect(ended.find(({ id }) => id === "s1.1")).toMatchObject({ sessionId: session.id, status: "stopped" });
});

test("the outcome of a command is unknown after a crash, without opening its session", async () => {
  await using daemon = await TestDaemon.start({ config });
  const session = await daemon.session({ model: script(daemon, [{ calls: [background("sleep 300")] }, { text: "ok" }]) });
  await session.runTurn("go");
  await daemon.kill();
  await daemon.start();
  const { api } = daemon.connect();
  expect(await api.command.list.query({})).toMatchObject([{ id: "s1.1", command: "sleep 300", status: "unknown" }]);
  await expect
    .poll(async () => (await api.command.list.query({})).map(({ endedAt }) => typeof endedAt), { timeout: 10_000 })
    .toEqual(["number"]);
  const gone = api.command.stop.mutate({ sessionId: session.id, id: "s1.1" });
  await expect(gone).rejects.toThrow("Output is kept until the daemon stops");
});

test("a list for a session that does not exist is refused", async () => {
  await using daemon = await TestDaemon.start();
  await expect(daemon.connect().api.command.list.query({ sessionId: "nope" })).rejects.toThrow("There is no session nope");
});
