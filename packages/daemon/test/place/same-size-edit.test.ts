import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { TestDaemon } from "../support/daemon.ts";
import { makeRepository } from "../support/git/repository.ts";

test("an edit of the same size right after the checkout is in the snapshot", async () => {
  await using daemon = await TestDaemon.start();
  makeRepository(daemon.workspace, { "a.txt": "one\n" });
  const { api } = daemon.connect();
  await api.workspace.trust.mutate({ cwd: daemon.workspace, trusted: true });
  for (const name of ["first", "second", "third"]) {
    const place = await api.place.create.mutate({ cwd: daemon.workspace, name });
    const file = path.join(place.root, "a.txt");
    writeFileSync(file, "two\n");
    expect((await api.place.changes.query({ place: name })).map((each) => each.path)).toEqual(["a.txt"]);
    await api.place.remove.mutate({ place: name });
    await api.place.restore.mutate({ place: name });
    expect(readFileSync(file, "utf8")).toBe("two\n");
  }
});
