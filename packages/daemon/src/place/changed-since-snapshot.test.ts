import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { PlaceSnapshot } from "@baton/core/protocol/place";
import { plannedPlace } from "../../test/support/git/planned-place.ts";
import { git } from "../../test/support/git/repository.ts";
import { staleSnapshotReason } from "./changed-since-snapshot.ts";
import { createPlace } from "./create-place.ts";
import { openGit } from "./git/git.ts";
import { placeFacts } from "./place-status.ts";
import { takeSnapshot } from "./take-snapshot.ts";

const folder = realpathSync(mkdtempSync(path.join(tmpdir(), "baton-changed-since-")));
const place = plannedPlace(folder, "fix", { "a.txt": "a\n", ".gitignore": "*.log\n*.db\n" });
const openIn = (cwd: string) => openGit(cwd, process.env);
const inPlace = openIn(place.root);
const write = (name: string, content: string) => writeFileSync(path.join(place.root, name), content);
let snapshot: PlaceSnapshot;

beforeAll(async () => {
  await createPlace(place, openIn(place.checkout), openIn);
});
beforeEach(async () => {
  write("build.log", "old\n");
  const taken = await takeSnapshot(place, inPlace);
  if (!taken.ok) throw new Error(taken.why);
  ({ snapshot } = taken);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each([
  ["a tracked file that changed", () => write("a.txt", "b\n"), "a file was written during the removal"],
  ["a new file", () => write("new.txt", "new\n"), "a file was written during the removal"],
  ["an ignored file that changed", () => write("build.log", "new\n"), "an ignored file was written during the removal"],
  ["a new ignored file", () => write("data.log", ""), "an ignored file was written during the removal"],
  [
    "a new ignored file that is too large to save",
    () => write("large.db", "x".repeat(21e6)),
    "an ignored file was written during the removal",
  ],
  ["a commit", () => git(place.root, "commit", "--quiet", "--allow-empty", "--message", "More"), "a commit was made during the removal"],
])("after a snapshot, %s stops the removal", async (_, change, why) => {
  expect(await staleSnapshotReason({ ...place, snapshot }, inPlace)).toBeUndefined();
  change();
  expect(await staleSnapshotReason({ ...place, snapshot }, inPlace)).toBe(why);
});

test("a place that git cannot read has an unknown number of changes, with the reason", async () => {
  const { ahead, ...before } = await placeFacts(place, inPlace);
  expect(before).toMatchObject({ changed: expect.any(Number) as number, problem: null });
  writeFileSync(git(place.root, "rev-parse", "--path-format=absolute", "--git-path", "index"), "no index");
  expect(await placeFacts(place, inPlace)).toMatchObject({ changed: null, ahead, problem: expect.stringContaining("index") as string });
});
