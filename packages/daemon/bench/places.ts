import { existsSync } from "node:fs";
import path from "node:path";
import { git } from "../test/support/git/repository.ts";
import { startInRepository } from "../test/support/git/repository-daemon.ts";
import type { Row } from "./table.ts";

const FILES = 20_000;
const FILES_PER_FOLDER = 100;
const RUNS = 7;
const PLACES = 10;
const MEMORY = "/dev/shm";

/** Measures a new place of a large repository beside bare `git worktree add`, in turns, and the memory of the daemon with places. */
export async function places(): Promise<Row[]> {
  return [await creation(), await memoryWithPlaces()];
}

/** In memory where that is possible. Git writes 20,000 files, and on a disk that alone takes from one second to ten. */
async function creation(): Promise<Row> {
  const usual = process.env["TMPDIR"];
  if (existsSync(MEMORY)) process.env["TMPDIR"] = MEMORY;
  const { daemon, api, create } = await startInRepository(largeRepository());
  await using _ = daemon;
  if (usual === undefined) delete process.env["TMPDIR"];
  else process.env["TMPDIR"] = usual;
  const bare = path.join(daemon.root, "bare");
  const values: number[] = [];
  const references: number[] = [];
  for (let run = 0; run <= RUNS; run++) {
    const added = await timed(() => git(daemon.workspace, "worktree", "add", "--quiet", "-b", `bare-${run}`, bare));
    git(daemon.workspace, "worktree", "remove", "--force", bare);
    const created = await timed(() => create({ name: `place-${run}` }));
    await api.place.remove.mutate({ place: `place-${run}` });
    if (run === 0) continue; // the first of each fills the caches
    references.push(added);
    values.push(created);
  }
  return {
    what: `new place in a repository of ${FILES.toLocaleString("en")} files`,
    unit: "ms",
    values,
    reference: { what: "bare git worktree add", values: references },
  };
}

const largeRepository = (): Record<string, string> =>
  Object.fromEntries(
    Array.from({ length: FILES }, (_each, i) => [
      `src/${Math.floor(i / FILES_PER_FOLDER)}/file-${i}.ts`,
      `export const value = ${i};\n`.repeat(10),
    ]),
  );

async function memoryWithPlaces(): Promise<Row> {
  const { daemon, api, create } = await startInRepository();
  await using _ = daemon;
  const samples = async () => {
    const values: number[] = [];
    for (let i = 0; i < RUNS; i++) {
      await new Promise((done) => setTimeout(done, 500));
      values.push((await api.daemon.status.query()).memory / 1024 / 1024);
    }
    return values;
  };
  await create({ name: "first" }); // loads the code
  const one = await samples();
  for (let i = 1; i < PLACES; i++) await create({ name: `place-${i}` });
  return {
    what: `memory of the daemon with ${PLACES} places`,
    unit: "MiB",
    values: await samples(),
    reference: { what: "with one", values: one },
  };
}

async function timed(work: () => unknown): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}
