import { fileURLToPath } from "node:url";
import { createClient } from "@libsql/client/http";
import { expect, test } from "vitest";
import { refusalOf } from "../src/client/index.ts";
import { openRemote } from "../src/log/database.ts";
import { openEventLog } from "../src/log/event-log.ts";
import { TestDaemon } from "./support/daemon.ts";
import { script } from "./support/script.ts";
import { storeServer, StoreServer } from "./support/store-server.ts";

const migrations = fileURLToPath(new URL("../src/log/migrations", import.meta.url));

if (!storeServer) process.stderr.write("there is no libSQL server for this platform: stores on a server are not tried\n");

const started = (server: StoreServer, url = server.url) => TestDaemon.start({ env: { BATON_DATABASE_URL: url } });

test.runIf(storeServer)("a log on a server holds what a log in a file holds", async () => {
  await using server = await StoreServer.start();
  for (const url of [server.url, server.url.replace("http", "ws")]) {
    const database = await openRemote({ url }, { migrations });
    const log = openEventLog(database);
    const stream = url.slice(0, 4);
    const said = (n: number) => ({ type: "said", n });
    await log.append({ streamId: stream, after: 0, events: [said(1), said(2)], at: 7, receipt: { commandId: "c", answer: { seq: 2 } } });
    await expect(log.append({ streamId: stream, after: 1, events: [said(9)], at: 7 })).rejects.toMatchObject({ conflict: true });
    await log.append({ streamId: stream, after: 2, events: [said(3)], at: 8 });
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
  "a session on a server outlives its daemon, is there for another one to read, and is written by one at a time",
  { timeout: 60_000 },
  async () => {
    await using server = await StoreServer.start();
    await using first = await started(server);
    const session = await first.session({ model: script(first, [{ text: "one" }, { text: "two" }, { text: "three" }, { text: "four" }]) });
    await session.prompt("hi");
    await session.untilEnd();
    await first.kill();
    await first.start();
    await session.prompt("again"); // the same home has its sessions back at once
    await session.untilEnd(2);

    await using second = await started(server);
    const elsewhere = second.attach(session.id);
    await elsewhere.until("the log", ({ events }) => events.length === session.events.length);
    const refused = await elsewhere.prompt("mine").catch(refusalOf);
    expect(refused).toMatchObject({ code: "stalled", message: expect.stringMatching(/Another daemon/) as string });

    await first.kill("SIGTERM");
    await second.kill("SIGTERM");
    await second.start();
    const taken = second.attach(session.id);
    await taken.prompt("now mine");
    await taken.untilEnd(3);
    expect(taken.events.filter(({ type }) => type === "prompt.received")).toHaveLength(3);
  },
);

test.runIf(storeServer)("a daemon that has lost a session to another gets no event of its own into it", { timeout: 60_000 }, async () => {
  await using server = await StoreServer.start();
  await using daemon = await started(server);
  const session = await daemon.session({ model: script(daemon, [{ text: "one" }, { text: "two" }]) });
  await session.prompt("hi");
  await session.untilEnd();
  const store = createClient({ url: server.url });
  await store.execute("UPDATE owner SET daemon = 'another', epoch = epoch + 1");
  expect(await session.prompt("more").catch(refusalOf)).toMatchObject({ code: "stalled" });
  const { rows } = await store.execute({ sql: "SELECT count(*) AS n FROM event WHERE stream_id = ?", args: [session.id] });
  expect(Number(rows[0]?.["n"])).toBe(session.events.length);
  store.close();
});
