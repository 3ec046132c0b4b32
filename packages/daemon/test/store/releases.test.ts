import { copyFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { foldEffective } from "@baton/core/session/effective-events";
import { eventProblem, type LoggedEvent } from "@baton/core/protocol/event";
import Driver from "libsql";
import { expect, test } from "vitest";
import { openDatabase } from "../../src/store/database/database.ts";
import { openLists } from "../../src/store/projections.ts";
import { openEventLog } from "../../src/store/event-log.ts";
import { rebuildProjections } from "../../src/store/rebuild-projections.ts";
import { TestDaemon } from "../support/daemon.ts";
import { Folder } from "../support/folder.ts";

const folder = fileURLToPath(new URL("../fixture", import.meta.url));

/** Stores of earlier releases. `simulator/record-store.ts` keeps one of each. */
const stores = readdirSync(folder).filter((name) => name.endsWith(".db"));

test.for(stores)("this version reads every event of %s, and can build its lists again from them", async (name) => {
  using home = new Folder();
  const file = path.join(home.path, "baton.db");
  copyFileSync(path.join(folder, name), file);
  const database = await openDatabase(file);
  const [log, lists] = [openEventLog(database), openLists(database)];
  const listed = [...(await lists.sessions()), ...(await lists.sessions({ archived: true }))];
  expect(listed.length).toBeGreaterThan(0);
  for (const { id, title, mode, workspace } of listed) {
    const events: LoggedEvent[] = await log.read(id);
    expect(events.map(eventProblem).filter((fault) => fault !== undefined)).toEqual([]);
    expect(foldEffective(events)).toMatchObject({ created: true, title, mode, workspace });
  }
  database.close();
  expect(await rebuildProjections(file)).toMatchObject({ sessions: listed.length, left: [] });
});

test.for(stores)("a daemon continues every session of %s", async (name) => {
  using home = new Folder();
  copyFileSync(path.join(folder, name), path.join(home.path, "baton.db"));
  const driver = new Driver(path.join(home.path, "baton.db"));
  driver.exec("UPDATE session SET due = 0"); // running work there needs a model and a folder that do not exist here
  driver.close();
  await using daemon = await TestDaemon.start({ home: home.path });
  const { api } = daemon.connect();
  const rows = [...(await api.session.list.query({})), ...(await api.session.list.query({ archived: true }))];
  for (const { id } of rows) {
    const renamed = api.session.send.mutate({
      sessionId: id,
      commandId: crypto.randomUUID(),
      wish: { type: "rename", title: `More of ${id}` },
    });
    expect(await renamed).toEqual({ seq: expect.any(Number) as unknown });
    expect((await api.session.open.query({ sessionId: id })).state.title).toBe(`More of ${id}`);
  }
});
