import { cpSync, rmSync } from "node:fs";
import path from "node:path";
import { openRequests } from "@baton/core/session/state";
import { expect, test } from "vitest";
import { TestDaemon } from "../support/daemon.ts";
import { script } from "../support/script.ts";
import { cuttingProxy } from "../support/fault/proxy.ts";
import { refusalOf } from "@baton/core/client/rpc-errors";
import { connectTo } from "../../src/client/index.ts";
import { TestSession } from "../support/session.ts";

const ask = { calls: [{ tool: "run_command", input: { command: "echo done" } }] };

/** The scripts in this file repeat the same step many times. */
const goesInCircles = { permissions: { loop_guard: "allow" } };

test("two clients see one approval, and of two answers at once one wins and the other names the winner", async () => {
  await using daemon = await TestDaemon.start();
  const first = await daemon.session({ client: "terminal", model: script(daemon, [ask, { text: "ok" }]) });
  const second = daemon.attach(first.id, "page");
  await first.prompt("go");
  await Promise.all([first.untilOpen(), second.untilOpen()]);
  expect(openRequests(second.state)).toEqual(openRequests(first.state));

  const answers = await Promise.allSettled([first.answer({ choice: "once" }), second.answer({ choice: "deny" })]);
  const lost = answers.flatMap((answer) => (answer.status === "rejected" ? [refusalOf(answer.reason)] : []));
  expect(lost).toHaveLength(1);
  const [answered] = first.events.flatMap((event) => (event.type === "request.answered" ? [event] : []));
  const { by, answer } = answered ?? {};
  await first.untilEnd();
  expect(lost[0]).toMatchObject({
    code: "already_answered",
    winner: first.events.flatMap((event) => (event.type === "request.answered" ? [{ by: event.by, answer: event.answer }] : []))[0] ?? {
      by,
      answer,
    },
  });
});

test("a connection starts a daemon that crashed, and none that was stopped", async () => {
  await using daemon = await TestDaemon.start();
  let starts = 0;
  const start = () => (starts++, daemon.start());
  const connection = connectTo(daemon.discovery, { client: "test", discoveryFile: path.join(daemon.home, "daemon.json"), start });
  const list = () => connection.api.session.list.query({});
  expect(await list()).toEqual([]);
  await daemon.kill("SIGTERM");
  const reconnected = list();
  await daemon.start();
  expect(await reconnected).toEqual([]);
  expect(starts).toBe(0);
  await daemon.kill("SIGKILL");
  expect(await list()).toEqual([]);
  expect(starts).toBe(1);
  await connection.close();
});

test("the same command sent twice counts once, even if it is refused", async () => {
  await using daemon = await TestDaemon.start();
  const session = await daemon.session({ model: script(daemon, [{ text: "hello" }]) });
  const commandId = crypto.randomUUID();
  const both = await Promise.all([session.prompt("hi", { commandId }), session.prompt("hi", { commandId })]);
  expect(both[0]).toEqual(both[1]);
  await session.untilEnd();
  expect(session.events.filter((event) => event.type === "prompt.received")).toHaveLength(1);
  const refused = crypto.randomUUID();
  const first = await session.wish({ type: "interrupt" }, refused).catch(refusalOf);
  await session.prompt("again");
  expect(await session.wish({ type: "interrupt" }, refused).catch(refusalOf)).toEqual(first);
});

test("a stopping daemon answers a repeated command as before, and refuses new ones", async () => {
  await using daemon = await TestDaemon.start({ config: { permissions: { command: "allow" } } });
  const waiting = { calls: [{ tool: "run_command", input: { command: "while [ ! -e ended ]; do sleep 0.05; done" } }] };
  const session = await daemon.session({ model: script(daemon, [waiting, { text: "Done." }]) });
  await session.prompt("go");
  await session.until("the command", ({ events }) => events.some(({ type }) => type === "tool.started"));
  const commandId = crypto.randomUUID();
  const first = await session.prompt("next", { commandId });
  const ended = daemon.kill("SIGTERM");
  const later = () =>
    session.wish({ type: "rename", title: "later" }).then(
      () => "accepted",
      (error: unknown) => refusalOf(error)?.code,
    );
  await expect.poll(later).toBe("stopping");
  expect(await session.prompt("next", { commandId })).toEqual(first);
  daemon.write("ended", "");
  await ended;
});

test("a fast model's text arrives in few messages, complete and in order, and events do not wait for it", async () => {
  await using daemon = await TestDaemon.start();
  const text = "word ".repeat(800);
  const session = await daemon.session({ model: script(daemon, [{ text, stream: { characters: 5, everyMs: 1 } }]) });
  const began = performance.now();
  await session.runTurn("go");
  const texts = session.frames.flatMap((frame) => (frame.type === "text" ? [frame] : []));
  const spent = performance.now() - began;
  expect(texts.map((frame) => frame.text).join("")).toBe(
    text.slice(
      0,
      texts.reduce((sum, frame) => sum + frame.text.length, 0),
    ),
  );
  expect(texts.length).toBeLessThan(2 + spent / 3);
  expect(texts.length).toBeGreaterThan(1);
});

test("a client that is cut off a hundred times misses no event and sees none twice", { timeout: 60_000 }, async () => {
  await using daemon = await TestDaemon.start({ config: goesInCircles });
  const replies = Array.from({ length: 60 }, (_, i) => ({
    text: `step ${i} `.repeat(20),
    stream: { characters: 10, everyMs: 1 },
    calls: [{ tool: "list_files", input: {} }],
  }));
  const steady = await daemon.session({ model: script(daemon, [...replies, { text: "end" }]) });
  await using proxy = await cuttingProxy(daemon.discovery.port);
  const connection = connectTo({ ...daemon.discovery, port: proxy.port }, { client: "shaky", discoveryFile: "/nowhere" });
  const shaky = new TestSession(connection.api, steady.id);
  await steady.prompt("go");
  const cutting = proxy.cut(100);
  await steady.untilEnd();
  await cutting;
  await shaky.until("everything", ({ events }) => events.length >= steady.events.length);
  await connection.close();
  expect(shaky.events).toEqual(steady.events);
  expect(shaky.events.map(({ seq }) => seq)).toEqual(shaky.events.map((_, i) => i + 1));
});

test("after a restore a client opens a session again, even when the restored log has grown past its position", async () => {
  await using daemon = await TestDaemon.start();
  const session = await daemon.session({ model: script(daemon, [{ text: "1" }, { text: "2" }, { text: "3" }]) });
  await session.runTurn("first");
  await daemon.kill();
  const copy = path.join(daemon.root, "copy");
  cpSync(daemon.home, copy, { recursive: true });
  await daemon.start();

  await session.runTurn("lost in the restore", 2);
  const last = session.events.at(-1);
  const position = `${last?.seq}:${last?.at}`;
  /** The first message, or the refusal, of a client that was cut off at this position. */
  const followed = (lastEventId: string) =>
    new Promise<unknown>((settle) =>
      daemon
        .connect()
        .api.session.follow.subscribe(
          { sessionId: session.id, after: 1, lastEventId },
          { onData: settle, onError: (error) => settle(refusalOf(error)) },
        ),
    );
  expect(await followed(position)).toEqual({ id: position, data: { events: [], frames: [] } });

  await daemon.kill();
  rmSync(daemon.home, { recursive: true, maxRetries: 20, retryDelay: 50 });
  cpSync(copy, daemon.home, { recursive: true });
  await daemon.start();
  const after = daemon.attach(session.id);
  for (const [i, prompt] of ["another", "and one more"].entries()) {
    await after.prompt(prompt);
    await after.untilEnd(2 + i);
  }
  expect(after.events.length).toBeGreaterThan(last?.seq ?? 0);
  expect(await followed(position)).toMatchObject({ code: "resync" });
  expect(await followed(`${last?.seq}`)).toMatchObject({ data: { events: after.events.slice(last?.seq) } }); // an older client
});

test("a reader that stops reading costs at most a megabyte and is closed, and others continue", { timeout: 60_000 }, async () => {
  await using daemon = await TestDaemon.start({ config: goesInCircles });
  const big = "x".repeat(50_000);
  const replies = Array.from({ length: 300 }, () => ({ text: big, calls: [{ tool: "list_files", input: {} }] }));
  const session = await daemon.session({ model: script(daemon, [...replies, { text: "end" }]) });
  const { api } = daemon.connect();
  await using proxy = await cuttingProxy(daemon.discovery.port);
  const connection = connectTo({ ...daemon.discovery, port: proxy.port }, { client: "paused", discoveryFile: "/nowhere" });
  const paused = new TestSession(connection.api, session.id);
  await paused.until("the beginning", ({ events }) => events.length > 0);
  const { connections } = await api.daemon.status.query();
  proxy.pause();
  await session.runTurn("go", 1, { stepLimit: 1_000 });
  for (let now = connections; now.open >= connections.open;) {
    now = (await api.daemon.status.query()).connections; // until the daemon closes the connection itself
    expect(now.buffered / 1024 / 1024).toBeLessThan(1.5);
  }
  proxy.resume();
  await paused.until("the rest, after coming back", ({ events }) => events.length >= session.events.length);
  expect(paused.events).toEqual(session.events);
  await connection.close();
});
