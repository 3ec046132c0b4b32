import path from "node:path";
import { createClient } from "@libsql/client/sqlite3";
import { expect, test } from "vitest";
import { refusalOf } from "../src/client/index.ts";
import { TestDaemon } from "./support/daemon.ts";
import { script } from "./support/script.ts";

test("a session that a later version wrote can be read, and is not touched", async () => {
  await using daemon = await TestDaemon.start();
  const session = await daemon.session({ model: script(daemon, [{ text: "hello" }]) });
  await session.prompt("hi");
  await session.untilEnd();
  await daemon.kill();
  const store = createClient({ url: `file:${path.join(daemon.home, "baton.db")}` });
  const event = { type: "session.beamed", to: "the moon" };
  await store.execute({
    sql: "INSERT INTO event (stream_id, seq, at, type, data) VALUES (?,?,1,?,?)",
    args: [session.id, session.events.length + 1, event.type, JSON.stringify(event)],
  });
  store.close();
  await daemon.start();
  await session.until("the strange event", ({ events }) => String(events.at(-1)?.type) === event.type);
  expect(session.state).toMatchObject({ title: "hi", turns: 1 });
  expect(await session.prompt("more").catch(refusalOf)).toMatchObject({ code: "session_read_only" });
  const { api } = daemon.connect();
  const equipping = api.toolset.equip.mutate({ sessionId: session.id, name: null });
  expect(await equipping.catch(refusalOf)).toMatchObject({ code: "session_read_only" });
  daemon.write("../home/config.jsonc", '{ "permissions": { "command": "deny" } }'); // everything open is judged anew
  await api.daemon.status.query();
  expect((await api.session.open.query({ sessionId: session.id })).events.at(-1)).toMatchObject({ type: event.type });
});
