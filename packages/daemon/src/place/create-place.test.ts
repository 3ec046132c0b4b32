import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, expect, test } from "vitest";
import { plannedPlace } from "../../test/support/git/planned-place.ts";
import { git } from "../../test/support/git/repository.ts";
import { createPlace } from "./create-place.ts";
import { openGit } from "./git/git.ts";
import { forgetPlace } from "./remove-place.ts";

const folder = realpathSync(mkdtempSync(path.join(tmpdir(), "baton-create-place-")));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const openIn = (cwd: string) => openGit(cwd, process.env);

test("a folder that another program made after the plan stays as it is, even when the failed place is removed", async () => {
  const place = plannedPlace(folder, "fix");
  const file = path.join(place.root, "notes.txt");
  mkdirSync(place.root, { recursive: true });
  writeFileSync(file, "mine\n");
  const source = openIn(place.checkout);
  expect(await createPlace(place, source, openIn)).toEqual({ ok: false, why: expect.stringContaining("exists already") as string });
  expect(await forgetPlace(place, source)).toMatchObject({ ok: true });
  expect(readFileSync(file, "utf8")).toBe("mine\n");
  expect(git(place.checkout, "for-each-ref", "refs/baton", "refs/heads/baton")).toBe("");
});

test("a branch that another program made after the plan stays, and nothing else does", async () => {
  const place = plannedPlace(folder, "fix");
  git(place.checkout, "branch", "baton/fix");
  expect(await createPlace(place, openIn(place.checkout), openIn)).toEqual({
    ok: false,
    why: expect.stringMatching(/the branch baton\/fix could not be created: .*exists/) as string,
  });
  expect(existsSync(place.root)).toBe(false);
  expect(git(place.checkout, "for-each-ref", "--format=%(refname)", "refs/baton", "refs/heads/baton")).toBe("refs/heads/baton/fix");
});
