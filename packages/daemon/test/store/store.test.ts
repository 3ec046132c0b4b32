import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  closeSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeSync,
} from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { openRequests } from "@baton/core/session/state";
import Driver from "libsql";
import { expect, test } from "vitest";
import { refusalOf } from "@baton/core/client/rpc-errors";
import { Folder } from "../support/folder.ts";
import { TestDaemon } from "../support/daemon.ts";
import { script } from "../support/script.ts";

const oldest = fileURLToPath(new URL("../fixture/oldest-store.db", import.meta.url));
const program = fileURLToPath(new URL("../../dist/store.js", import.meta.url));

const storeOf = (daemon: TestDaemon) => path.join(daemon.home, "baton.db");
const backupsOf = (daemon: TestDaemon) =>
  existsSync(path.join(daemon.home, "backups")) ? readdirSync(path.join(daemon.home, "backups")) : [];
const inStore = (daemon: TestDaemon, ...args: string[]) =>
  JSON.parse(execFileSync(process.execPath, [program, ...args], { env: { BATON_HOME: daemon.home }, encoding: "utf8" })) as Record<
    string,
    unknown
  >;
const storeProblem = async (daemon: TestDaemon) =>
  (await daemon.connect().api.daemon.status.query()).diagnostics.find(({ file }) => file === storeOf(daemon))?.message;

/** Makes a session of one turn, and kills the daemon. */
async function withSession(daemon: TestDaemon) {
  const session = await daemon.session({ model: script(daemon, [{ text: "hello" }, { text: "again" }]) });
  await session.runTurn("hi");
  return session;
}

test("a store of the oldest schema opens in this version, with its open request, and the daemon keeps a copy of it", async () => {
  using home = new Folder();
  copyFileSync(oldest, path.join(home.path, "baton.db"));
  await using daemon = await TestDaemon.start({ home: home.path });
  const { api } = daemon.connect();
  const [row] = await api.session.list.query({});
  expect(row).toMatchObject({ title: "clean up", status: "waiting", openRequests: 1 });
  const session = daemon.attach(row?.id ?? "");
  await session.untilOpen();
  await session.answer({ choice: "deny" });
  await session.until("the refused call", ({ events }) =>
    events.some((event) => event.type === "tool.finished" && event.result.outcome === "denied"),
  );
  expect(backupsOf(daemon)).toEqual([expect.stringMatching(/^before-\d{4}_.*\.db$/)]);
  expect(readFileSync(path.join(daemon.home, "backups", backupsOf(daemon)[0] ?? "")).length).toBeGreaterThan(10_000);
  expect(inStore(daemon, "check")).toMatchObject({ ok: true });
});

test("a store of a later version is read, and nothing is written to it", async () => {
  await using daemon = await TestDaemon.start();
  const session = await withSession(daemon);
  await daemon.kill("SIGTERM");
  const driver = new Driver(storeOf(daemon));
  driver.exec("INSERT INTO __drizzle_migrations (hash, created_at) VALUES ('later', 9999999999999); PRAGMA wal_checkpoint(TRUNCATE)");
  driver.close();
  const before = readFileSync(storeOf(daemon));
  await daemon.start();
  expect(await storeProblem(daemon)).toMatch(/later version/);
  const again = daemon.attach(session.id);
  await again.until("the log", ({ events }) => events.length === session.events.length);
  expect(await again.prompt("more").catch(refusalOf)).toMatchObject({
    code: "stalled",
    message: expect.stringMatching(/later version/) as string,
  });
  await daemon.kill("SIGTERM");
  expect(readFileSync(storeOf(daemon)).equals(before)).toBe(true);
});

const damages: Record<string, (file: string) => void> = {
  "its header is gone": (file) => overwrite(file, 0, Buffer.alloc(100)),
  "it is cut in the middle": (file) => truncateSync(file, 5_000),
  "it is something else": (file) => {
    truncateSync(file, 0);
    appendFileSync(file, "This is a poem, and not a database. ".repeat(200));
  },
};

test.for(Object.entries(damages))(
  "the daemon runs although its store is damaged (%s), reports that, and can restore a backup",
  async ([, damage]) => {
    await using daemon = await TestDaemon.start();
    const session = await withSession(daemon);
    const { file: backup } = inStore(daemon, "backup");
    await daemon.kill("SIGTERM");
    for (const part of ["-wal", "-shm"]) rmSync(storeOf(daemon) + part, { force: true });
    damage(storeOf(daemon));
    const broken = readFileSync(storeOf(daemon));
    await daemon.start();
    await expect.poll(() => storeProblem(daemon)).toMatch(/damaged.*`baton db restore`/);
    const { api } = daemon.connect();
    const refused = await api.session.create.mutate({ commandId: crypto.randomUUID(), workspace: daemon.workspace }).catch(refusalOf);
    expect(refused).toMatchObject({ code: "stalled", message: expect.stringMatching(/damaged/) as string });
    expect(readFileSync(storeOf(daemon)).equals(broken)).toBe(true);
    await daemon.kill("SIGTERM");

    const { restored, kept } = inStore(daemon, "restore") as { restored: string; kept: string };
    expect(restored).toBe(backup);
    expect(readFileSync(kept).equals(broken)).toBe(true);
    await daemon.start();
    expect(await storeProblem(daemon)).toBeUndefined();
    const again = daemon.attach(session.id);
    await again.until("the log", ({ events }) => events.length === session.events.length);
    await again.runTurn("more", 2);
  },
);

test("a page that was damaged unnoticed is found after a crash, and writing stops", async () => {
  await using daemon = await TestDaemon.start();
  await withSession(daemon);
  await daemon.kill("SIGTERM");
  await daemon.start();
  await daemon.kill(); // it ended uncleanly, so the next start checks the whole store
  const driver = new Driver(storeOf(daemon));
  const { page } = driver.prepare("SELECT rootpage AS page FROM sqlite_master WHERE name = 'receipt'").get() as { page: number };
  driver.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  driver.close();
  overwrite(storeOf(daemon), (page - 1) * 4_096, Buffer.alloc(2_000, 0xff));
  await daemon.start();
  await expect.poll(() => storeProblem(daemon)).toMatch(/damaged/);
});

test("while a daemon has the store open, it cannot be restored or compacted", async () => {
  await using daemon = await TestDaemon.start();
  mkdirSync(path.join(daemon.home, "backups"), { recursive: true });
  copyFileSync(oldest, path.join(daemon.home, "backups", "baton-old.db"));
  for (const what of ["restore", "compact"]) {
    const run = () => inStore(daemon, what);
    expect(run).toThrow(/Command failed/);
  }
  expect(inStore(daemon, "check")).toMatchObject({ ok: true, problems: [] });
});

test("a daemon that restarts ends within its 5 seconds although a command does not stop, and keeps open requests", async () => {
  const command = "sh stubborn.sh";
  await using daemon = await TestDaemon.start({ config: { permissions: [{ action: "command", resource: command, effect: "allow" }] } });
  daemon.write("stubborn.sh", "trap '' TERM INT HUP\necho $$ > begun.tmp && mv begun.tmp begun\nwhile true; do sleep 0.1; done\n");
  const busy = await daemon.session({ model: script(daemon, [{ calls: [{ tool: "run_command", input: { command } }] }]) });
  await busy.prompt("wait");
  await expect.poll(() => existsSync(path.join(daemon.workspace, "begun")), { timeout: 30_000 }).toBe(true);
  const waiting = await daemon.session({
    model: script(daemon, [{ calls: [{ tool: "run_command", input: { command: "rm x" } }] }, { text: "Done." }]),
  });
  await waiting.prompt("clean up");
  const { id } = await waiting.untilOpen();
  const ended = daemon.ended();
  const began = performance.now();
  await daemon.connect().api.daemon.stop.mutate();
  expect(await ended).toBe(0);
  console.log(`gone after ${Math.round(performance.now() - began)} ms`);
  await daemon.start();
  const stubborn = `/proc/${daemon.read("begun").trim()}/stat`;
  await expect.poll(() => existsSync(stubborn) && !readFileSync(stubborn, "latin1").includes(") Z "), { timeout: 30_000 }).toBe(false);
  const other = daemon.attach(waiting.id);
  await other.untilOpen();
  expect(openRequests(other.state)[0]?.id).toBe(id);
  await other.answer({ choice: "once" });
  await other.untilEnd();
  const again = daemon.attach(busy.id);
  await again.until("what is known of the command", ({ events }) =>
    events.some((event) => event.type === "tool.finished" && event.result.outcome === "unknown"),
  );
});

function overwrite(file: string, at: number, bytes: Buffer): void {
  const opened = openSync(file, "r+");
  writeSync(opened, bytes, 0, bytes.length, at);
  closeSync(opened);
}
