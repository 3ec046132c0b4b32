import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { call, openHome } from "../support/home.ts";

const git = (folder: string, ...args: string[]) =>
  execFileSync("git", ["-c", "user.name=Ada", "-c", "user.email=ada@example.org", ...args], { cwd: folder, encoding: "utf8" }).trim();

async function openRepository() {
  const home = openHome();
  git(home.workspace, "init", "--quiet", "--initial-branch", "main");
  writeFileSync(path.join(home.workspace, "a.txt"), "one\n");
  git(home.workspace, "add", "--all");
  git(home.workspace, "commit", "--quiet", "--message", "first");
  await home.run(["trust"]);
  return home;
}

const write = (text: string) => call("write_file", { path: "a.txt", content: text });

test("a run in a new place leaves the checkout alone, its changes can be shown, applied and undone, and the place can be removed and restored", async () => {
  await using home = await openRepository();
  const model = home.script({ calls: [write("two\n")] }, { text: "Done." });
  const run = await home.run(["run", "go", "--place", "fix", "--model", model, "--on-request", "allow"]);
  expect(run).toMatchObject({ code: 0, out: "Done.\n" });
  expect(run.err).toContain("Place fix: branch baton/fix, based on main.");
  const file = path.join(home.workspace, "a.txt");
  expect(readFileSync(file, "utf8")).toBe("one\n");

  const listed = await home.run(["places"]);
  expect(listed.out).toMatch(/fix {2}1 changed file\n {4}baton\/fix, from main, .*\n/);
  expect(listed.out).toMatch(/session \w+ {2}/);
  expect((await home.run(["places", "diff", "fix"])).out).toMatch(/a\.txt {2}.*\+1.*1 changed file/s);
  expect((await home.run(["places", "apply", "fix", "--preview"])).out).toBe("  apply: a.txt\n");
  expect((await home.run(["places", "apply", "fix"])).out).toMatch(/^Applied 1 file to .*work/);
  expect(readFileSync(file, "utf8")).toBe("two\n");
  expect((await home.run(["places", "apply", "fix"])).out).toMatch(/work already has all changes of fix\.\n$/);
  expect((await home.run(["places", "revert", "fix"])).out).toBe("Took back 1 file.\n");
  expect(readFileSync(file, "utf8")).toBe("one\n");

  const [place] = JSON.parse((await home.run(["places", "--json"])).out) as [{ root: string }];
  expect((await home.run(["places", "remove", "fix"])).out).toMatch(/^Removed fix\. `baton places restore fix` brings it back/);
  expect(existsSync(place.root)).toBe(false);
  expect((await home.run(["places", "restore", "fix"])).code).toBe(0);
  expect(readFileSync(path.join(place.root, "a.txt"), "utf8")).toBe("two\n");
});

test("three versions of a prompt run in separate places and can be compared", async () => {
  await using home = await openRepository();
  const [first, second] = ["a\n", "b\nc\n"].map((text) => home.script({ calls: [write(text)] }, { text: "Done." }));
  const { code, out } = await home.run([
    "run",
    "go",
    "--versions",
    "3",
    "--model",
    `${first},${second}`,
    "--on-request",
    "allow",
    "--json",
  ]);
  expect(code).toBe(0);
  const { versions } = JSON.parse(out) as { versions: { place: string; model: string; changes: object; result: { status: string } }[] };
  expect(versions.map(({ model, changes, result }) => [model, changes, result.status])).toEqual([
    [first, { files: 1, added: 1, removed: 1 }, "completed"],
    [second, { files: 1, added: 2, removed: 1 }, "completed"],
    [first, { files: 1, added: 1, removed: 1 }, "completed"],
  ]);
  const places = JSON.parse((await home.run(["places", "--json"])).out) as { group: string }[];
  expect(new Set(places.map(({ group }) => group)).size).toBe(1);
  expect(readFileSync(path.join(home.workspace, "a.txt"), "utf8")).toBe("one\n");
});

test("a wrong use gets an error with the next step", async () => {
  await using home = await openRepository();
  const model = home.script({ text: "Done." });
  const failure = async (...args: string[]) => {
    const { code, err } = await home.run(args);
    return `${code} ${err.trim()}`;
  };
  expect(await failure("run", "go", "--base", "main", "--model", model)).toMatch(/^2 .*Add --place new/);
  expect(await failure("run", "go", "--place", "new", "--continue")).toMatch(/^2 .*stays in its folder/);
  expect(await failure("run", "go", "--versions", "99", "--model", model)).toMatch(/^2 .*At most 8 versions/);
  expect(await failure("run", "go", "--place", "../x", "--model", model)).toMatch(/^2 .*cannot be the name of a place/);
  expect(await failure("places", "diff", "none")).toMatch(/^2 .*There is no place "none"/);
  expect(await failure("places", "apply", "none", "--conflicts", "maybe")).toMatch(/^2 /);
});

test("a run works in a second folder and can only read in a third", async () => {
  await using home = await openRepository();
  const [library, reference] = ["library", "reference"].map((name) => path.join(path.dirname(home.workspace), name));
  for (const folder of [library ?? "", reference ?? ""]) {
    mkdirSync(folder);
    writeFileSync(path.join(folder, "x.txt"), "x\n");
  }
  const written = (folder: string | undefined) => call("write_file", { path: path.join(folder ?? "", "x.txt"), content: "y\n" });
  const model = home.script({ calls: [written(library), written(reference)] }, { text: "Done." });
  const run = await home.run([
    "run",
    "go",
    "--add-dir",
    library ?? "",
    "--read-dir",
    reference ?? "",
    "--on-request",
    "allow",
    "--model",
    model,
  ]);
  expect(run).toMatchObject({ code: 0, out: "Done.\n" });
  const content = (folder: string | undefined) => readFileSync(path.join(folder ?? "", "x.txt"), "utf8");
  expect([content(library), content(reference)]).toEqual(["y\n", "x\n"]);
  expect((await home.run(["run", "go", "--add-dir", "nowhere", "--model", model])).err).toMatch(/There is no folder .*nowhere/);
});
