import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { TestDaemon } from "../support/daemon.ts";
import { git, makeRepository } from "../support/git/repository.ts";
import { openFor } from "../support/git/repository-daemon.ts";

const isRoot = process.platform === "linux" && process.getuid?.() === 0;
if (!isRoot) process.stderr.write("not root: places on a full disk are tried on a real small file system only by root\n");

/** Mounts a file system of this size on a folder. */
function smallDisk(folder: string, size: string): Disposable {
  mkdirSync(folder, { recursive: true });
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${size}`, "tmpfs", folder]);
  return { [Symbol.dispose]: () => void execFileSync("umount", ["-l", folder]) };
}

function fill(folder: string): string {
  const file = path.join(folder, "filler");
  for (const size of [100_000, 4_096]) {
    try {
      for (;;) writeFileSync(file, Buffer.alloc(size), { flag: "a" });
    } catch {
      // full up to this size
    }
  }
  return file;
}

const LARGE = { "a.txt": "one\n", "large.bin": "x".repeat(3_000_000) };

test.runIf(isRoot)("a place that does not fit on the disk fails with the reason and leaves nothing behind", async () => {
  await using daemon = await TestDaemon.start();
  makeRepository(daemon.workspace, LARGE);
  const folder = `${daemon.home}-places`;
  using _ = smallDisk(folder, "2m");
  const { api, create } = await openFor(daemon, daemon.workspace);
  await expect(create({ name: "big" })).rejects.toThrow(
    /The place big could not be created: unable to write file large\.bin\. The disk of .* has only [\d.]+ MB free/,
  );
  expect(git(daemon.workspace, "worktree", "list").split("\n")).toHaveLength(1);
  expect(git(daemon.workspace, "branch", "--list", "baton/*")).toBe("");
  expect(git(daemon.workspace, "for-each-ref", "refs/baton")).toBe("");
  expect(readdirSync(path.join(folder, readdirSync(folder)[0] ?? ""))).toEqual([]);
  expect((await api.place.list.query({})).map(({ name, status }) => [name, status])).toEqual([["big", "failed"]]);

  execFileSync("mount", ["-o", "remount,size=20m", folder]);
  const place = await create({ name: "big" });
  expect(readFileSync(path.join(place.root, "large.bin"), "utf8")).toHaveLength(3_000_000);
});

test.runIf(isRoot)("a snapshot that does not fit into the repository stops the removal, and the place stays as it was", async () => {
  await using daemon = await TestDaemon.start();
  const repository = path.join(daemon.root, "small");
  using _ = smallDisk(repository, "2m");
  makeRepository(repository);
  const { api, create } = await openFor(daemon, repository);
  const place = await create({ name: "work" });
  const work = { "new.txt": "new\n", "random.bin": Buffer.from(crypto.getRandomValues(new Uint8Array(60_000))).toString("hex") };
  for (const [name, text] of Object.entries(work)) writeFileSync(path.join(place.root, name), text);
  const filler = fill(repository);
  await expect(api.place.remove.mutate({ place: "work" })).rejects.toThrow(/could not be saved, so nothing was changed: .*/);
  const contents = () => Object.fromEntries(Object.keys(work).map((name) => [name, readFileSync(path.join(place.root, name), "utf8")]));
  expect(contents()).toEqual(work);
  expect((await api.place.list.query({}))[0]).toMatchObject({ status: "ready" });

  rmSync(filler);
  await api.place.remove.mutate({ place: "work" });
  expect(existsSync(place.root)).toBe(false);
  await api.place.restore.mutate({ place: "work" });
  expect(contents()).toEqual(work);
});

test.runIf(isRoot)("a restoration that does not fit on the disk fails, and works once there is space", async () => {
  await using daemon = await TestDaemon.start();
  makeRepository(daemon.workspace);
  const folder = `${daemon.home}-places`;
  using _ = smallDisk(folder, "8m");
  const { api, create } = await openFor(daemon, daemon.workspace);
  const place = await create({ name: "work" });
  writeFileSync(path.join(place.root, "large.txt"), LARGE["large.bin"]);
  await api.place.remove.mutate({ place: "work" });
  const filler = fill(folder);
  await expect(api.place.restore.mutate({ place: "work" })).rejects.toThrow(/was not restored: .*The disk of .* has only [\d.]+ MB free/);
  expect(existsSync(place.root)).toBe(false);
  expect((await api.place.list.query({}))[0]).toMatchObject({ status: "removed" });
  rmSync(filler);
  await api.place.restore.mutate({ place: "work" });
  expect(readFileSync(path.join(place.root, "large.txt"), "utf8")).toBe(LARGE["large.bin"]);
});
