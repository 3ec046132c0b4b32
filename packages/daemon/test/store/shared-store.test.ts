import { hash } from "node:crypto";
import { hostname } from "node:os";
import { fileURLToPath } from "node:url";
import { createClient } from "@libsql/client/http";
import { expect, test } from "vitest";
import { refusalOf } from "@baton/core/client/rpc-errors";
import { openRemote } from "../../src/store/database/database.ts";
import { openEventLog } from "../../src/store/event-log.ts";
import { TestDaemon } from "../support/daemon.ts";
import { Line } from "../support/fault/line.ts";
import type { TestSession } from "../support/session.ts";
import { script } from "../support/script.ts";
import { storeServer, StoreServer } from "../support/fault/store-server.ts";

const migrations = fileURLToPath(new URL("../../src/store/database/migrations", import.meta.url));

if (!storeServer) process.stderr.write("there is no libSQL server for this platform: stores on a server are not tried\n");

const started = (server: StoreServer, url = server.url) => TestDaemon.start({ env: { BATON_DATABASE_URL: url } });

test.runIf(storeServer)("a log on a server contains the same as a log in a file", async () => {
  await using server = await StoreServer.start();
  for (const url of [server.url, server.url.replace("http", "ws")]) {
    const database = await openRemote({ url }, { migrations });
    const log = openEventLog(database);
    const stream = url.slice(0, 4);
    const event = (n: number) => ({ type: "said", n });
    await log.append({ streamId: stream, after: 0, events: [event(1), event(2)], at: 7, receipt: { commandId: "c", answer: { seq: 2 } } });
    await expect(log.append({ streamId: stream, after: 1, events: [event(9)], at: 7 })).rejects.toMatchObject({ conflict: true });
    await log.append({ streamId: stream, after: 2, events: [event(3)], at: 8 });
    expect((await log.read<{ type: string; n: number }>(stream)).map(({ n, seq }) => [n, seq])).toEqual([
      [1, 1],
      [2, 2],
      [3, 3],
    ]);
    expect(await log.receipt(stream, "c")).toEqual({ seq: 2 });
    database.close();
  }
});

test.runIf(storeServer)(
  "a session on a server survives its daemon, and other machines can read it but not continue it",
  { timeout: 60_000 },
  async () => {
    await using server = await StoreServer.start();
    await using first = await started(server);
    const session = await first.session({ model: script(first, [{ text: "one" }, { text: "two" }, { text: "three" }, { text: "four" }]) });
    await session.runTurn("hi");
    await first.kill();
    await first.start();
    await session.prompt("again"); // the same home has its sessions again at once
    await session.untilEnd(2);

    await using second = await started(server);
    const elsewhere = second.attach(session.id);
    await elsewhere.until("the log", ({ events }) => events.length === session.events.length);
    const refused = await elsewhere.prompt("mine").catch(refusalOf);
    expect(refused).toMatchObject({ code: "session_read_only", message: expect.stringContaining(`machine ${hostname()}`) as string });
    await session.runTurn("once more", 3);
    await elsewhere.untilEnd(3); // it follows the writes there

    await first.kill("SIGTERM");
    expect(await elsewhere.prompt("mine now").catch(refusalOf)).toMatchObject({ code: "session_read_only" });
    const fork = await second.connect().api.session.fork.mutate({ commandId: crypto.randomUUID(), sessionId: session.id });
    const own = second.attach(fork.id);
    await own.runTurn("in a fork", 4, { model: script(second, [{ text: "mine" }]) });
  },
);

const openStore = ({ url }: StoreServer) => createClient({ url });

/** A turn that is running when its daemon dies. */
async function cutOff(daemon: TestDaemon): Promise<TestSession> {
  const session = await daemon.session({ model: script(daemon, [{ text: "slow", delayMs: 60_000 }, { text: "done" }]) });
  await session.prompt("hi");
  await session.until("the model to be asked", ({ state }) => state.step?.phase === "running");
  await daemon.kill();
  return session;
}

test.runIf(storeServer)("a daemon that starts continues only the sessions of its own machine", { timeout: 60_000 }, async () => {
  await using server = await StoreServer.start();
  await using first = await started(server);
  const session = await cutOff(first);
  const store = openStore(server);
  await store.execute("UPDATE owner SET until = 0");
  const eventsOf = async () =>
    Number((await store.execute({ sql: "SELECT count(*) AS n FROM event WHERE stream_id = ?", args: [session.id] })).rows[0]?.["n"]);
  const before = await eventsOf();

  await using second = await started(server);
  const own = await second.session({ model: script(second, [{ text: "one" }]) });
  await own.runTurn("hi");
  const seen = second.attach(session.id);
  await seen.until("the log", ({ events }) => events.length === before);
  expect(await eventsOf()).toBe(before);
  expect((await second.connect().api.session.list.query({})).map(({ id }) => id)).toContain(session.id);

  await first.start();
  await session.until("its machine to go on", ({ events }) => events.length > before);
  store.close();
});

test.runIf(storeServer)(
  "a session from before machines had ids continues on the machine that wrote it last",
  { timeout: 60_000 },
  async () => {
    await using server = await StoreServer.start();
    await using first = await started(server);
    const session = await first.session({ model: script(first, [{ text: "one" }, { text: "two" }]) });
    await session.runTurn("hi");
    await first.kill("SIGTERM");
    const store = openStore(server);
    const formerly = hash("sha256", `${hostname()}\n${first.home}`).slice(0, 16);
    await store.execute("UPDATE event SET data = json_remove(data, '$.machine') WHERE type = 'session.created'");
    await store.execute({ sql: "UPDATE owner SET daemon = ?", args: [formerly] });
    store.close();

    await using second = await started(server);
    expect(await second.attach(session.id).prompt("not mine").catch(refusalOf)).toMatchObject({ code: "session_read_only" });
    await first.start();
    await session.runTurn("again", 2);
  },
);

test.runIf(storeServer)(
  "a session that another daemon took over comes back when that daemon releases it",
  { timeout: 60_000 },
  async () => {
    await using server = await StoreServer.start();
    await using daemon = await started(server);
    const session = await daemon.session({ model: script(daemon, [{ text: "one" }, { text: "two" }]) });
    await session.runTurn("hi");
    const store = openStore(server);
    const count = session.events.length;
    await store.batch([
      "UPDATE owner SET daemon = 'another', epoch = epoch + 1, until = unixepoch() * 1000 + 3600000",
      {
        sql: "INSERT INTO event (stream_id, seq, at, type, data) VALUES (?, ?, 1, 'session.renamed', ?)",
        args: [session.id, count + 1, JSON.stringify({ type: "session.renamed", title: "renamed elsewhere" })],
      },
    ]);
    for (const attempt of [1, 2])
      expect(await session.prompt(`refused ${attempt}`).catch(refusalOf)).toMatchObject({
        code: "stalled",
        message: expect.stringMatching(/Another daemon/) as string,
      });
    await store.execute("UPDATE owner SET until = 0");
    await session.runTurn("more", 2);
    expect(session.state.title).toBe("renamed elsewhere");
    expect(session.events.map(({ seq }) => seq)).toEqual(session.events.map((_, i) => i + 1));
    expect(session.events.filter(({ type }) => type === "prompt.received")).toHaveLength(2);
    store.close();
  },
);

test.runIf(storeServer)("work that runs when a session is lost continues when it comes back", { timeout: 60_000 }, async () => {
  await using server = await StoreServer.start();
  await using daemon = await started(server);
  const session = await daemon.session({ model: script(daemon, [{ text: "one", delayMs: 2_000 }, { text: "two" }]) });
  await session.prompt("hi");
  await session.until("the model to be asked", ({ state }) => state.step?.phase === "running");
  const store = openStore(server);
  await store.execute("UPDATE owner SET daemon = 'another', epoch = epoch + 1, until = unixepoch() * 1000 + 3600000");
  await session.until("word of it", ({ frames }) => frames.some((frame) => frame.type === "stalled" && frame.message !== null));
  await store.execute("UPDATE owner SET until = 0");
  await session.untilEnd();
  expect(session.events.filter(({ type }) => type === "model.replied")).toHaveLength(1);
  store.close();
});

test.runIf(storeServer)("a grant for everywhere, and its end, apply on all daemons that share the store", { timeout: 60_000 }, async () => {
  await using server = await StoreServer.start();
  await using first = await started(server);
  await using second = await started(server);
  const call = { calls: [{ tool: "run_command", input: { command: "touch made" } }] };
  const sessions = await Promise.all(
    [first, second].map((daemon) =>
      daemon.session({ model: script(daemon, Array.from({ length: 4 }, () => [call, { text: "done" }]).flat()) }),
    ),
  );
  const [one, other] = sessions as [TestSession, TestSession];
  for (const each of sessions) await each.prompt("touch");
  for (const each of sessions) await each.untilOpen();
  await one.answer({ choice: "workspace", rule: { action: "command", resource: "touch made", effect: "allow", scope: "user" } });
  for (const each of sessions) await each.untilEnd(); // the grant answers the other daemon's open request
  await other.runTurn("again", 2);
  const { api } = second.connect();
  const [grant] = await api.permission.grants.query({ cwd: second.workspace });
  expect(grant?.scope).toBe("user");
  await api.permission.revoke.mutate({ commandId: crypto.randomUUID(), cwd: second.workspace, grantId: grant?.id ?? "" });
  await one.prompt("is it still allowed?");
  await one.untilOpen();
  expect(await first.connect().api.permission.grants.query({ cwd: first.workspace })).toEqual([]);
});

test.runIf(storeServer)("a daemon that lost a session to another one adds no event to it", { timeout: 60_000 }, async () => {
  await using server = await StoreServer.start();
  await using daemon = await started(server);
  const session = await daemon.session({ model: script(daemon, [{ text: "one" }, { text: "two" }]) });
  await session.runTurn("hi");
  const store = createClient({ url: server.url });
  await store.execute("UPDATE owner SET daemon = 'another', epoch = epoch + 1");
  expect(await session.prompt("more").catch(refusalOf)).toMatchObject({ code: "stalled" });
  const { rows } = await store.execute({ sql: "SELECT count(*) AS n FROM event WHERE stream_id = ?", args: [session.id] });
  expect(Number(rows[0]?.["n"])).toBe(session.events.length);
  store.close();
});

test.runIf(storeServer)(
  "subscriptions that start while the store is unavailable deliver everything afterwards",
  { timeout: 60_000 },
  async () => {
    await using server = await StoreServer.start();
    await using line = await Line.to(server.url);
    await using daemon = await TestDaemon.start({ env: { BATON_DATABASE_URL: line.url } });
    const session = await daemon.session({ model: script(daemon, [{ text: "one" }, { text: "two" }]) });
    await session.runTurn("hi");

    line.cut();
    using follower = daemon.attach(session.id);
    const delivered = new Set<string>();
    const errors: unknown[] = [];
    const into = (name: string) => ({
      onData: () => void delivered.add(name),
      onError: (error: unknown) => void errors.push(error),
    });
    const { api } = session;
    api.session.followList.subscribe({ changes: true }, into("changes of the list"));
    api.session.followList.subscribe({}, into("list"));
    api.request.follow.subscribe({}, into("requests"));
    await new Promise((wait) => setTimeout(wait, 500)); // the daemon tries and fails in the meantime
    line.mend();
    await follower.until("the events of before", ({ events }) => events.length === session.events.length);
    await session.prompt("again");
    await follower.untilEnd(2);
    await expect.poll(() => [...delivered].toSorted()).toEqual(["changes of the list", "list", "requests"]);
    expect(errors).toEqual([]);
  },
);
