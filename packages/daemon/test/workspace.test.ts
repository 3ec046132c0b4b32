import { expect, test } from "vitest";
import { TestDaemon } from "./support/daemon.ts";

test("file names are completed, without what ignore files and the gates leave out", async () => {
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
