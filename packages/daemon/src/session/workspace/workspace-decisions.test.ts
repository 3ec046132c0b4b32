import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { WorkspaceEvent } from "@baton/core/protocol/event";
import type { Grant } from "@baton/core/protocol/rule";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openDatabase, type Database } from "../../store/database/database.ts";
import { openEventLog, type EventLog } from "../../store/event-log.ts";
import { systemClock } from "../../system/clock.ts";
import { ALL_WORKSPACES, openWorkspaceDecisions, type WorkspaceDecisions } from "./workspace-decisions.ts";

const folder = mkdtempSync(path.join(tmpdir(), "baton-workspaces-"));
const by = { person: "test" };
let database: Database;
let log: EventLog;

beforeAll(async () => {
  database = await openDatabase(path.join(folder, "baton.db"));
  log = openEventLog(database);
});
afterAll(() => {
  database.close();
  rmSync(folder, { recursive: true });
});

const grant = (id: string, scope: Grant["scope"] = "user", effect: "allow" | "deny" = "allow"): Grant => ({
  id,
  rule: { action: "command", resource: `run ${id}`, effect },
  scope,
  mode: "code",
  givenAt: 1,
  requestId: "r",
});
const idsIn = (workspaces: WorkspaceDecisions, place: string): string[] => workspaces.grants(place).map(({ id }) => id);

/** Machines on one store, each of which has loaded the folder. */
async function machines(place: string, ids: readonly string[]): Promise<WorkspaceDecisions[]> {
  const all = ids.map((id) => openWorkspaceDecisions(log, systemClock, { machine: id }));
  for (const each of all) await each.load(place);
  return all;
}

test.each([2, 10])("%i daemons that give and revoke the same grants in any order end with the same grants", async (count) => {
  const place = `/work/${count}`;
  const all = await machines(
    place,
    Array.from({ length: count }, (_, i) => `m${i}`),
  );
  const named = (i: number) => `${count}-${i}`;
  for (const [i, each] of all.entries()) await each.give(place, grant(named(i)), by);
  await Promise.all(all.map((each, i) => each.give(place, grant(`${named(i)}-b`), by)));
  for (let i = 0; i < count; i += 2)
    expect(await all[(i + 1) % count]?.revoke(place, named(i), by)).toMatchObject({ revoked: { id: named(i) } });
  for (const each of all) await each.catchUp();
  const expected = all.flatMap((_, i) => [...(i % 2 === 0 ? [] : [named(i)]), `${named(i)}-b`]).toSorted();
  for (const each of all)
    expect(
      idsIn(each, place)
        .filter((id) => id.startsWith(`${count}-`))
        .toSorted(),
    ).toEqual(expected);
});

test("grants of two daemons for the same folder are both stored", async () => {
  const [one, other] = [openWorkspaceDecisions(log, systemClock), openWorkspaceDecisions(log, systemClock)];
  for (const each of [one, other]) await each.load("/both");
  await one.give("/both", grant("a", "workspace"), by);
  await other.give("/both", grant("b", "workspace"), by);
  await one.settleTrust("/both", true, by);
  await other.settleTrust("/both", true, by);
  const written = await log.read<WorkspaceEvent>("workspace:/both");
  expect(written.map(({ type }) => type)).toEqual(["grant.given", "grant.given", "workspace.trusted"]);
});

test("the trust, grants and approvals of a path on one machine do not apply on another machine", async () => {
  const [one, other] = await machines("/home/me/app", ["one", "other"]);
  await one?.give("/home/me/app", grant("c", "workspace"), by);
  await one?.settleTrust("/home/me/app", true, by);
  await one?.judgeServer("/home/me/app", { type: "server.approved", server: "s", launch: "hash", by });
  await other?.catchUp();
  const again = openWorkspaceDecisions(log, systemClock, { machine: "other" });
  await again.load("/home/me/app");
  for (const each of [other, again]) {
    expect(each?.trust("/home/me/app")).toBe("unknown");
    expect(each?.approval("/home/me/app", "s").launch).toBeUndefined();
    expect(each && idsIn(each, "/home/me/app")).not.toContain("c");
  }
});

test("where machines share the store, grants without a machine apply only if they restrict", async () => {
  const events: WorkspaceEvent[] = [
    { type: "workspace.trusted", by },
    { type: "grant.given", grant: grant("wide", "workspace"), by },
    { type: "grant.given", grant: grant("narrow", "workspace", "deny"), by },
    { type: "server.approved", server: "s", launch: "hash", by },
    { type: "server.refused", server: "s", hash: "no", by },
  ];
  await log.append({ streamId: "workspace:/old", after: 0, events, at: 1 });
  const local = openWorkspaceDecisions(log, systemClock);
  const shared = openWorkspaceDecisions(log, systemClock, { machine: "m" });
  for (const each of [local, shared]) await each.load("/old");
  const ofPath = (each: WorkspaceDecisions) => idsIn(each, "/old").filter((id) => ["wide", "narrow"].includes(id));
  expect([local.trust("/old"), ofPath(local), local.approval("/old", "s").launch]).toEqual(["trusted", ["wide", "narrow"], "hash"]);
  expect([shared.trust("/old"), ofPath(shared), shared.approval("/old", "s")]).toEqual([
    "unknown",
    ["narrow"],
    { tools: {}, refused: ["no"] },
  ]);
  await shared.revoke("/old", "narrow", by);
  expect(ofPath(shared)).toEqual([]);
  expect(shared.grants(ALL_WORKSPACES)).toEqual(local.grants(ALL_WORKSPACES));
});

const wide: WorkspaceEvent[] = [
  { type: "workspace.trusted", by },
  { type: "grant.given", grant: grant("late wide", "workspace"), by },
  { type: "server.approved", server: "s", launch: "hash", by },
];
const unknown: Record<string, { type: string }> = {
  "of an unknown type": { type: "grant.narrowed" },
  "of a later version": { type: "grant.revoked", v: 2 } as { type: string },
  invalid: { type: "grant.given", grant: null } as { type: string },
};

test.for(Object.keys(unknown).flatMap((kind) => wide.map((_, at) => [kind, at] as const)))(
  "an event that is %s takes back what was allowed before it: after %i events",
  async ([kind, at]) => {
    const place = `/later/${kind}/${at}`;
    const narrow: WorkspaceEvent = { type: "grant.given", grant: grant("late narrow", "workspace", "deny"), by };
    const before = [narrow, ...wide.slice(0, at)];
    const after = wide.slice(at);
    const stream = `workspace:${place}`;
    await log.append({ streamId: stream, after: 0, events: before, at: 1 });
    const strange = unknown[kind] ?? { type: "" };
    await database.write([
      {
        sql: "INSERT INTO event (stream_id, seq, at, type, data) VALUES (?,?,1,?,?)",
        args: [stream, before.length + 1, strange.type, JSON.stringify(strange)],
      },
    ]);
    await log.append({ streamId: stream, after: before.length + 1, events: after, at: 1 });
    const workspaces = openWorkspaceDecisions(log, systemClock);
    await workspaces.load(place);
    const holds = (type: WorkspaceEvent["type"]) => after.some((event) => event.type === type);
    expect({
      trust: workspaces.trust(place),
      grants: idsIn(workspaces, place).filter((id) => id.startsWith("late")),
      launch: workspaces.approval(place, "s").launch,
    }).toEqual({
      trust: holds("workspace.trusted") ? "trusted" : "unknown",
      grants: ["late narrow", ...(holds("grant.given") ? ["late wide"] : [])],
      launch: holds("server.approved") ? "hash" : undefined,
    });
    await workspaces.give(place, grant("late more", "workspace"), by);
    expect(idsIn(workspaces, place)).toContain("late more");
  },
);
