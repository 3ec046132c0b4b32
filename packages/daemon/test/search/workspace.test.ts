import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { TestDaemon } from "../support/daemon.ts";

test("file names are completed, except those that ignore files and the gates leave out", async () => {
  await using daemon = await TestDaemon.start();
  for (const file of ["src/booking/store.ts", "src/booking/hook.ts", "README.md", "dist/store.js", ".env", ".gitignore"])
    daemon.write(file, file === ".gitignore" ? "dist\n" : "x");
  const { api } = daemon.connect();
  const found = (query: string) => api.workspace.files.query({ cwd: daemon.workspace, query });
  expect(await found("store")).toEqual(["src/booking/store.ts"]);
  expect(await found("bkhook")).toEqual(["src/booking/hook.ts"]);
  expect(await found(".env")).toEqual([]);
  expect(await found("")).toContain("README.md");
});

test("files in the session's other folders are completed with absolute paths", async () => {
  await using daemon = await TestDaemon.start();
  daemon.write("main.ts", "x");
  const library = path.join(daemon.root, "library");
  mkdirSync(path.join(library, "src"), { recursive: true });
  writeFileSync(path.join(library, "src/only-here.ts"), "x");
  const { api } = daemon.connect();
  const find = (query: string, roots: string[]) => api.workspace.files.query({ cwd: daemon.workspace, query, roots });
  expect(await find("only-here", [])).toEqual([]);
  expect(await find("only-here", [library, path.join(daemon.root, "gone")])).toEqual([path.join(library, "src/only-here.ts")]);
});
