import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { checkStore, compactStore } from "../../src/store/store-maintenance.ts";
import { bundle, TestDaemon } from "../support/daemon.ts";
import { bundleCrashing } from "../support/fault/crashing-bundle.ts";
import { script } from "../support/script.ts";
import type { TestSession } from "../support/session.ts";

const call = (tool: string, input: object) => ({ tool, input });
const PERMISSIONS = { edit: "allow", command: "allow", external_directory: "allow" };

const blobsOf = (daemon: TestDaemon): string => path.join(daemon.home, "blobs");
const databaseOf = (daemon: TestDaemon): string => path.join(daemon.home, "baton.db");

/** The names of all stored contents beside the store. */
function blobs(daemon: TestDaemon): string[] {
  const folder = blobsOf(daemon);
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => /[0-9a-f]{64}$|\.tmp$/.test(name));
}

/** The files of the home that contain this text: the store, its journal, contents and all others. */
const holding = (daemon: TestDaemon, text: string): string[] =>
  readdirSync(daemon.home, { recursive: true, encoding: "utf8", withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes("log"))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => readFileSync(file).includes(text));

/** A session that changes files and prints more than a client shows, so that contents are stored beside the store. */
async function work(daemon: TestDaemon, secret: string, files: readonly string[]): Promise<TestSession> {
  const calls = files.map((file) => call("write_file", { path: file, content: `${secret} new\n` }));
  const print = call("run_command", { command: `for i in $(seq 20000); do echo ${secret} $i; done` });
  const session = await daemon.session({ model: script(daemon, [{ calls: [...calls, print] }, { text: `Done with ${secret}.` }]) });
  await session.runTurn(`work on ${secret}`);
  return session;
}

const remove = (daemon: TestDaemon, id: string) =>
  daemon.connect().api.session.delete.mutate({ sessionId: id, commandId: crypto.randomUUID() });

test("a deleted session leaves no data behind, and takes none from other sessions", async () => {
  await using daemon = await TestDaemon.start({ config: { permissions: PERMISSIONS } });
  daemon.write("a.txt", "shared before\n");
  daemon.write("b.txt", "quetzal before\n");
  const first = await work(daemon, "quetzal", ["a.txt", "b.txt"]);
  daemon.write("a.txt", "shared before\n");
  const second = await work(daemon, "ocelot", ["a.txt"]);
  const { id: forked } = await first.api.session.fork.mutate({ sessionId: second.id, commandId: crypto.randomUUID() });
  expect(holding(daemon, "quetzal")).not.toEqual([]);
  const before = blobs(daemon).length;
  writeFileSync(path.join(blobsOf(daemon), "left-by-a-dead-daemon.tmp"), "x");

  await remove(daemon, first.id);
  expect(holding(daemon, "quetzal")).toEqual([]);
  expect(blobs(daemon).length).toBeLessThan(before);
  for (const hash of contentsOf(second)) expect(blobs(daemon).join(" ")).toContain(hash);

  await second.wish({ type: "undo", conversation: false });
  await second.until("the undo", ({ events }) => events.some(({ type }) => type === "undo.finished"));
  expect(readFileSync(path.join(daemon.workspace, "a.txt"), "utf8")).toBe("shared before\n");

  await remove(daemon, second.id);
  await remove(daemon, forked);
  expect(holding(daemon, "ocelot")).toEqual([]);
  await daemon.kill("SIGTERM");
  compactStore(databaseOf(daemon), blobsOf(daemon));
  expect(blobs(daemon)).toEqual([]);
});

/** The hashes that the events of a session name. */
const contentsOf = ({ events }: TestSession): string[] => [
  ...new Set(
    events.flatMap((event) => {
      if (event.type === "file.kept") return event.before === null ? [] : [event.before];
      const view = event.type === "tool.finished" ? event.result.view : undefined;
      return view?.type === "terminal" && view.blob !== undefined ? [view.blob] : [];
    }),
  ),
];

test("subtasks are deleted with their session, contents included", async () => {
  await using daemon = await TestDaemon.start({
    config: (root) => ({
      permissions: { ...PERMISSIONS, new_task: "allow" },
      modes: {
        code: { model: script({ root }, [{ calls: [call("write_file", { path: "c.txt", content: "axolotl\n" })] }, { text: "axolotl" }]) },
      },
    }),
  });
  daemon.write("c.txt", "axolotl before\n");
  const session = await daemon.session({
    mode: "orchestrator",
    model: script(daemon, [{ calls: [call("new_task", { mode: "code", message: "write" })] }, { text: "Done." }]),
  });
  await session.runTurn("go");
  expect(holding(daemon, "axolotl")).not.toEqual([]);
  await remove(daemon, session.id);
  expect(holding(daemon, "axolotl")).toEqual([]);
});

test("a session that works during a deletion loses none of its contents", { timeout: 120_000 }, async () => {
  await using daemon = await TestDaemon.start({ config: { permissions: PERMISSIONS } });
  const done: TestSession[] = [];
  for (let round = 0; round < 5; round++) {
    const doomed = await Promise.all([1, 2].map((i) => work(daemon, `doomed${round}.${i}`, [`d${i}.txt`])));
    const [remaining] = await Promise.all([
      work(daemon, `kept${round}`, ["k1.txt", "k2.txt", "k3.txt"]),
      ...doomed.map(async ({ id }) => remove(daemon, id)),
    ]);
    done.push(remaining);
  }
  const names = blobs(daemon).join(" ");
  for (const session of done) for (const hash of contentsOf(session)) expect(names).toContain(hash);
});

test("a daemon killed during a deletion leaves a consistent store, and the next sweep removes the rest", { timeout: 120_000 }, async () => {
  await using daemon = await TestDaemon.start({ config: { permissions: PERMISSIONS } });
  daemon.write("k.txt", "kept before\n");
  const remaining = await work(daemon, "kept", ["k.txt"]);
  for (const wait of [0, 1, 2, 4, 8, 16, 32]) {
    daemon.write("g.txt", "gone before\n");
    const session = await work(daemon, `gone${wait}`, ["g.txt"]);
    remove(daemon, session.id).catch(() => undefined); // the kill may be first
    await new Promise((at) => setTimeout(at, wait));
    await daemon.kill("SIGKILL");
    expect(checkStore(databaseOf(daemon))).toMatchObject({ ok: true });
    await daemon.start();
    // The daemon finishes the interrupted deletion, possibly just after it has listed the session.
    const isThere = async () => (await daemon.connect().api.session.list.query({})).some(({ id }) => id === session.id);
    if (await isThere()) await remove(daemon, session.id).catch(() => undefined);
    expect(await isThere()).toBe(false);
  }
  await daemon.kill("SIGTERM");
  const found = checkStore(databaseOf(daemon), { blobs: blobsOf(daemon) });
  expect(found.kinds.filter(({ orphans }) => orphans > 0)).toEqual([]);
  compactStore(databaseOf(daemon), blobsOf(daemon));
  expect(checkStore(databaseOf(daemon), { blobs: blobsOf(daemon) }).blobs.orphans).toBe(0);
  for (const hash of contentsOf(remaining)) expect(blobs(daemon).join(" ")).toContain(hash);
  for (const wait of [0, 1, 2, 4, 8, 16, 32]) expect(holding(daemon, `gone${wait} `)).toEqual([]);
});

test("a deletion that a crash interrupted answers the same command with what it deleted", async () => {
  await using daemon = await TestDaemon.start({ program: await bundleCrashing(), env: { BATON_TEST_CRASH: "after drop" } });
  const session = await daemon.session({ model: script(daemon, [{ text: "Done." }]) });
  await session.runTurn("go");
  const command = { sessionId: session.id, commandId: crypto.randomUUID() };
  const { api } = daemon.connect();
  const ended = daemon.ended();
  api.session.delete.mutate(command).catch(() => undefined); // its answer is lost
  await ended;
  await daemon.start({ program: bundle });
  expect(await api.session.delete.mutate(command)).toEqual({ deleted: [session.id] });
  expect(await api.session.delete.mutate(command)).toEqual({ deleted: [session.id] });
  expect(await api.session.list.query({})).toEqual([]);
});

test("db check lists the uses of the space, and contents that belong to no session", async () => {
  await using daemon = await TestDaemon.start({ config: { permissions: PERMISSIONS } });
  daemon.write("a.txt", "before\n");
  await work(daemon, "here", ["a.txt"]);
  await daemon.kill("SIGTERM");
  const { kinds, blobs: beside } = checkStore(databaseOf(daemon), { blobs: blobsOf(daemon) });
  expect(kinds.map(({ kind }) => kind)).toEqual(["events", "receipts", "snapshots", "sessions", "requests"]);
  expect(kinds[0]?.bytes).toBeGreaterThan(1_000);
  expect(beside).toMatchObject({ blobs: blobs(daemon).length, orphans: 0 });
  writeFileSync(path.join(blobsOf(daemon), "0".repeat(64)), "x"); // a folder that Baton did not make
  mkdirSync(path.join(blobsOf(daemon), "00"), { recursive: true });
  writeFileSync(path.join(blobsOf(daemon), "00", "0".repeat(64)), "xyz");
  expect(checkStore(databaseOf(daemon), { blobs: blobsOf(daemon) }).blobs).toMatchObject({ orphans: 1, orphanBytes: 3 });
});
