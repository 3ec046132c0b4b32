import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { SessionId } from "@baton/core/protocol/ids";
import { expect, test } from "vitest";
import type { SessionRow } from "@baton/core/session/session-list";
import { runDailyMaintenance, type MaintenanceOptions } from "./daily-maintenance.ts";

const DAY = 24 * 3_600_000;
const NOW = Date.UTC(2026, 4, 20);

function careIn(options: Partial<MaintenanceOptions> = {}) {
  const backups = mkdtempSync(path.join(tmpdir(), "baton-care-"));
  const reports: string[] = [];
  const put = (name: string, at: number) => {
    writeFileSync(path.join(backups, name), "");
    utimesSync(path.join(backups, name), at / 1_000, at / 1_000);
  };
  return {
    put,
    told: reports,
    there: () => readdirSync(backups).sort(),
    care: () =>
      runDailyMaintenance({
        backups,
        retention: undefined,
        now: NOW,
        copyTo: async (file) => put(path.basename(file), NOW),
        sessions: { lists: { sessions: async () => [] }, delete: async () => ({ deleted: [] }) },
        sweep: async () => ({ blobs: 0, bytes: 0, orphans: 0, orphanBytes: 0 }),
        sweptAt: NOW,
        report: (what) => reports.push(what),
        ...options,
      }),
    [Symbol.dispose]: () => rmSync(backups, { recursive: true }),
  };
}

test("the daemon copies the store once a day", async () => {
  using world = careIn();
  await world.care();
  await world.care();
  expect(world.there()).toEqual(["baton-2026-05-20T00-00-00-000Z.db"]);
});

test("the daemon keeps as many daily copies as the setting says, and all other copies", async () => {
  using world = careIn({ retention: { backups: 2 } });
  for (const days of [1, 2, 3]) world.put(`baton-${days}.db`, NOW - days * DAY - 1);
  world.put("before-0001-change.db", NOW - 100 * DAY);
  await world.care();
  expect(world.there()).toEqual(["baton-1.db", "baton-2026-05-20T00-00-00-000Z.db", "before-0001-change.db"]);
});

const row = (id: string, days: number): SessionRow => ({
  id: id as SessionId,
  parentId: null,
  workspace: "/w",
  title: `title of ${id}`,
  task: null,
  mode: "code",
  model: null,
  status: "idle",
  steps: 0,
  cost: 0,
  openRequests: 0,
  archived: true,
  seq: 1,
  createdAt: 0,
  updatedAt: NOW - days * DAY,
});

test("the daemon removes archived sessions only if the setting says so, and reports that", async () => {
  const removed: string[] = [];
  const sessions: MaintenanceOptions["sessions"] = {
    lists: { sessions: async ({ before = Infinity } = {}) => [row("young", 5), row("old", 40)].filter((each) => each.updatedAt < before) },
    delete: async (id) => {
      removed.push(id);
      return { deleted: [] };
    },
  };
  using silent = careIn({ sessions });
  await silent.care();
  expect(removed).toEqual([]);
  using world = careIn({ sessions, retention: { archivedDays: 30 } });
  await world.care();
  expect(removed).toEqual(["old"]);
  expect(world.told).toEqual(["removed the archived session old (title of old), as retention.archivedDays says"]);
});
