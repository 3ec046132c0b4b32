import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { TestDaemon } from "../support/daemon.ts";
import { git, makeRepository } from "../support/git/repository.ts";
import { openFor } from "../support/git/repository-daemon.ts";
import { storeServer, StoreServer } from "../support/fault/store-server.ts";

const NAMES = ["one", "two", "three", "four"];

/** Creates, removes and restores places of the same names in one repository from two daemons at once. */
async function compete(first: TestDaemon, second: TestDaemon): Promise<void> {
  const repository = first.workspace;
  makeRepository(repository);
  const clients = [await openFor(first, repository), await openFor(second, repository)];
  const createUntilDone = async ({ create }: (typeof clients)[number], name: string) => {
    for (let attempt = 1; attempt <= 10; attempt++) {
      const created = await create({ name }).catch((error: unknown) => String(error));
      if (typeof created !== "string") return created;
      expect(created).toMatch(/could not be created: the branch baton\/\S+ could not be created: .*exists/); // the only reason to fail
    }
    throw new Error(`the place ${name} could not be created in ten attempts`);
  };
  const places = await Promise.all(clients.map((client) => Promise.all(NAMES.map((name) => createUntilDone(client, name)))));
  const all = places.flat();
  expect(new Set(all.map(({ root }) => root)).size).toBe(2 * NAMES.length);
  expect(new Set(all.map(({ branch }) => branch)).size).toBe(2 * NAMES.length);
  for (const { root, id } of all) writeFileSync(path.join(root, "work.txt"), `${id}\n`);

  const ready = async ({ api }: (typeof clients)[number]) =>
    (await api.place.list.query({})).filter(({ status }) => status === "ready").map(({ name }) => name);
  for (const client of clients) expect((await ready(client)).toSorted()).toEqual(NAMES.toSorted());
  await Promise.all(clients.flatMap(({ api }) => NAMES.map((place) => api.place.remove.mutate({ place, cwd: repository }))));
  expect(all.filter(({ root }) => existsSync(root))).toEqual([]);
  expect(git(repository, "worktree", "list").split("\n")).toHaveLength(1);
  await Promise.all(clients.flatMap(({ api }) => NAMES.map((place) => api.place.restore.mutate({ place, cwd: repository }))));
  for (const { root, id } of all) expect(readFileSync(path.join(root, "work.txt"), "utf8")).toBe(`${id}\n`);
  expect(git(repository, "fsck", "--no-dangling")).toBe("");
}

test("two daemons with separate homes create, remove and restore places of equal names in one repository", async () => {
  await using first = await TestDaemon.start();
  await using second = await TestDaemon.start();
  await compete(first, second);
});

test.runIf(storeServer)("two daemons with one store create, remove and restore places of equal names in one repository", async () => {
  await using server = await StoreServer.start();
  const env = { BATON_DATABASE_URL: server.url };
  await using first = await TestDaemon.start({ env });
  await using second = await TestDaemon.start({ env });
  await compete(first, second);
  await second.kill();
  await second.start();
  const { api } = second.connect();
  expect((await api.place.list.query({})).filter(({ status }) => status === "ready")).toHaveLength(NAMES.length);
});
