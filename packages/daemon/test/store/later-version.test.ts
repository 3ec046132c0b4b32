import path from "node:path";
import { foldEffective } from "@baton/core/session/effective-events";
import { openRequests } from "@baton/core/session/state";
import { isKnownEvent, type LoggedEvent } from "@baton/core/protocol/event";
import { STATE_VERSION } from "@baton/core/protocol/connection/version";
import Driver from "libsql";
import { afterAll, beforeAll, expect, test } from "vitest";
import { refusalOf } from "@baton/core/client/rpc-errors";
import type { Api } from "../../src/client/index.ts";
import { TestDaemon } from "../support/daemon.ts";
import { script } from "../support/script.ts";
import { TestSession } from "../support/session.ts";

/** Events that this version does not understand. */
const strange: Record<string, object> = {
  "of an unknown type": { type: "session.beamed", to: "the moon" },
  "of a later version": { type: "session.renamed", v: 2, name: "Later" },
  "of the right type and the wrong shape": { type: "prompt.received", text: 7 },
};

type Snapshot = { seq: number; version: number };

/** A session in the store: the events of the real one, of which one may be unknown, and a snapshot. */
type Case = { name: string; id: string; at?: number; event?: object; snapshot?: Snapshot; open: boolean; forks: boolean };

const tables: Record<string, string> = {
  event: "stream_id",
  receipt: "stream_id",
  snapshot: "stream_id",
  session: "id",
  request: "session_id",
  usage: "session_id",
};

let daemon: TestDaemon;
let real: TestSession;
let api: Api;
let cases: Case[];
let before: Map<string, unknown>;

/** A session with an open request, and copies of it as other versions may leave them, in a store that no daemon has open. */
beforeAll(async () => {
  daemon = await TestDaemon.start({ config: { permissions: { command: "ask" } } });
  const calls = [{ tool: "run_command", input: { command: "rm x" } }];
  real = await daemon.session({ model: script(daemon, [{ text: "hello" }, { text: "Removing.", calls }, { text: "Done." }]) });
  await real.runTurn("hi");
  await real.prompt("clean up");
  await real.untilOpen();
  await daemon.kill();
  cases = casesFor(real.events.length);
  before = inStore((driver) => {
    for (const each of cases) insert(driver, each);
    return rowsOf(driver);
  });
  await daemon.start();
  ({ api } = daemon.connect());
}, 60_000);

afterAll(() => daemon[Symbol.asyncDispose]());

test("sessions of a later version can be read, at whatever position the unknown event is", async () => {
  for (const { id, name, at } of cases) {
    const { seq, state, events } = await api.session.open.query({ sessionId: id });
    expect({ name, seq, title: state.title, turns: state.turns }).toEqual({
      name,
      seq: real.events.length + (at === undefined ? 0 : 1),
      title: "hi",
      turns: 2,
    });
    expect(events.filter((event) => event.seq === at).map(({ type }) => isKnownEvent(type))).not.toContain(true);
  }
});

test("a command for such a session gets a refusal with the reason, and a session with unknown events cannot be forked", async () => {
  for (const { id, name, event, forks } of cases.filter(({ open }) => !open)) {
    using session = new TestSession(api, id);
    for (const wish of [
      () => session.prompt("more"),
      () => session.wish({ type: "interrupt" }),
      () => session.wish({ type: "archive", archived: true }),
      () => api.toolset.equip.mutate({ sessionId: id, name: null }),
      () => api.request.answer.mutate({ commandId: crypto.randomUUID(), requestId: requestOf(id), answer: { choice: "once" } }),
    ])
      expect({ name, ...(await wish().catch(refusalOf)) }).toEqual({
        name,
        code: "session_read_only",
        message: expect.stringMatching(event ? /does not understand event/ : /later version/) as unknown,
      });
    const forked = await api.session.fork.mutate({ sessionId: id, commandId: crypto.randomUUID() }).catch(refusalOf);
    expect({ name, forks: forked !== undefined && "id" in forked }).toEqual({ name, forks });
  }
});

test("Baton adds nothing to such sessions and overwrites nothing, not even with a new verdict, a stop or a restart", async () => {
  daemon.write("../home/config.jsonc", '{ "permissions": { "command": "deny" } }');
  await api.daemon.status.query();
  await daemon.kill("SIGTERM");
  await daemon.start();
  for (const { id } of cases) await daemon.connect().api.session.open.query({ sessionId: id });
  await daemon.kill("SIGTERM");
  const after = inStore(rowsOf);
  const isChanged = ({ id }: Case) => JSON.stringify(after.get(id)) !== JSON.stringify(before.get(id));
  const changed = cases.filter(isChanged).map(({ name }) => name);
  expect(changed).toEqual(cases.filter(({ open }) => open).map(({ name }) => name));
});

/**
 * Every unknown event at every position, without a snapshot, with an earlier snapshot, and with one of a later version; and snapshots
 * without unknown events.
 */
function casesFor(events: number): Case[] {
  const places = Array.from({ length: events + 1 }, (_, i) => i + 1);
  const own = (seq: number): Snapshot => ({ seq, version: STATE_VERSION });
  const later = (seq: number): Snapshot => ({ seq, version: STATE_VERSION + 1 });
  const mixed = Object.entries(strange).flatMap(([kind, event]) =>
    places.flatMap((at) => {
      const snapshots = [undefined, ...(at > 1 ? [own(at - 1), later(at - 1)] : []), later(at), later(events + 1)];
      return snapshots.map((snapshot) => ({ kind, at, event, ...(snapshot ? { snapshot } : {}), open: false, forks: false }));
    }),
  );
  const known = [own, later, (seq: number) => ({ seq, version: STATE_VERSION - 1 })].flatMap((make) =>
    places.slice(0, -1).map((seq) => {
      const open = make(1).version <= STATE_VERSION;
      return { kind: "only", snapshot: make(seq), open, forks: true };
    }),
  );
  return [...mixed, ...known].map((each, i) => ({
    ...each,
    name: `an event ${each.kind}, at ${"at" in each ? each.at : 0} of ${events}, with the snapshot ${JSON.stringify(each.snapshot)}`,
    id: `copy${String(i).padStart(6, "0")}`,
  }));
}

function insert(driver: Driver.Database, { id, at, event, snapshot }: Case): void {
  const known = real.events.map(({ seq: _, at: __, ...data }) => JSON.parse(JSON.stringify(data).replaceAll(real.id, id)) as object);
  const all = at === undefined || !event ? known : [...known.slice(0, at - 1), event, ...known.slice(at - 1)];
  const events = all.map((data, i) => ({ ...data, seq: i + 1, at: 1_000 + i })) as LoggedEvent[];
  for (const { seq, at: time, ...data } of events)
    driver
      .prepare("INSERT INTO event (stream_id, seq, at, type, data) VALUES (?,?,?,?,?)")
      .run([id, seq, time, data.type, JSON.stringify(data)]);
  for (const table of ["session", "request"]) {
    const [row] = driver.prepare(`SELECT * FROM ${table} WHERE ${tables[table]} = ?`).all([real.id]);
    const copy = JSON.parse(JSON.stringify(row).replaceAll(real.id, id)) as Record<string, unknown>;
    driver
      .prepare(
        `INSERT INTO ${table} VALUES (${Object.keys(copy)
          .map(() => "?")
          .join()})`,
      )
      .run(Object.values(copy));
  }
  driver.prepare("UPDATE session SET due = 1 WHERE id = ?").run([id]);
  if (!snapshot) return;
  const state = foldEffective(events.filter(({ seq }) => seq <= snapshot.seq && seq !== at));
  driver
    .prepare("INSERT INTO snapshot (stream_id, seq, version, state) VALUES (?,?,?,?)")
    .run([id, snapshot.seq, snapshot.version, JSON.stringify(state)]);
}

const requestOf = (id: string): string => openRequests(real.state)[0]?.id.replace(real.id, id) ?? "";

function inStore<T>(work: (driver: Driver.Database) => T): T {
  const driver = new Driver(path.join(daemon.home, "baton.db"));
  try {
    return work(driver);
  } finally {
    driver.close();
  }
}

/** All data of each case in the store. */
const rowsOf = (driver: Driver.Database): Map<string, unknown> =>
  new Map(
    cases.map(({ id }) => [
      id,
      Object.entries(tables).map(([table, column]) => driver.prepare(`SELECT * FROM ${table} WHERE ${column} = ?`).all([id])),
    ]),
  );
