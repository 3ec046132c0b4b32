import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { git } from "../support/git/repository.ts";
import { startInRepository } from "../support/git/repository-daemon.ts";

const FEW = 5;
/** Fifty in the nightly run. */
const MANY = Number(process.env["BATON_PLACES"] ?? 10);

test("many places of one repository can be created, listed and removed at once", async () => {
  const { daemon, api, create } = await startInRepository();
  await using _ = daemon;
  const names = Array.from({ length: MANY }, (_each, i) => `place-${i}`);
  const timed = async (work: () => Promise<unknown>): Promise<number> => {
    const began = performance.now();
    await work();
    return Math.round(performance.now() - began);
  };
  const createAll = (some: readonly string[]) => timed(() => Promise.all(some.map((name) => create({ name }))));
  const statusOf = (some: readonly string[]) => timed(() => Promise.all(some.map((place) => api.place.facts.query({ place }))));

  const createdFew = await createAll(names.slice(0, FEW));
  const listedFew = await statusOf(names.slice(0, FEW));
  const createdRest = await createAll(names.slice(FEW));
  const listedAll = await statusOf(names);

  const places = await api.place.list.query({});
  expect(places.map(({ name, status, branch }) => `${name} ${status} ${branch}`).toSorted()).toEqual(
    names.map((name) => `${name} ready baton/${name}`).toSorted(),
  );
  expect(git(daemon.workspace, "worktree", "list").split("\n")).toHaveLength(MANY + 1);
  for (const { root, name } of places) writeFileSync(path.join(root, "a.txt"), `${name}\n`);
  const changed = await Promise.all(names.map((place) => api.place.facts.query({ place })));
  expect(changed.map((facts) => facts.changed)).toEqual(names.map(() => 1));

  const removed = await timed(() => Promise.all(names.map((place) => api.place.remove.mutate({ place }))));
  expect((await api.place.list.query({})).map(({ status }) => status)).toEqual(names.map(() => "removed"));
  expect(git(daemon.workspace, "worktree", "list").split("\n")).toHaveLength(1);
  const last = await api.place.restore.mutate({ place: `place-${MANY - 1}` });
  expect(readFileSync(path.join(last.root, "a.txt"), "utf8")).toBe(`place-${MANY - 1}\n`);
  const each = (total: number, count: number) => (total / count).toFixed(0);
  console.info(
    `ms per place: create ${each(createdFew, FEW)} (first ${FEW}), ${each(createdRest, MANY - FEW)} (next ${MANY - FEW}); ` +
      `facts ${each(listedFew, FEW)} of ${FEW}, ${each(listedAll, MANY)} of ${MANY}; remove ${each(removed, MANY)}`,
  );
});
