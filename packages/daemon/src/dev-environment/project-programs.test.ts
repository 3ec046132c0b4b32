import { execFileSync } from "node:child_process";
import { chmodSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { Folder } from "../../test/support/folder.ts";
import { launcherFolder, projectPrograms } from "./project-programs.ts";

async function program(folder: Folder, name: string, text = "#!/bin/sh\n"): Promise<void> {
  chmodSync(await folder.write(name, text), 0o755);
}

test("programs of the system and helpers of git keep their names, and those of languages are the project's", async () => {
  using folder = new Folder();
  for (const name of ["python3", "pip", "hello", "git", "ls", "sh", "git-lfs", "gpg", "lzop", "delta", "odd name", ".hidden"])
    await program(folder, `bin/${name}`);
  await folder.write("bin/notes.txt", "no program");
  expect([...projectPrograms([folder.at("bin"), folder.at("missing")]).keys()].toSorted()).toEqual(["hello", "pip", "python3"]);
});

test("a launcher passes on its arguments and starts the program of the first folder, whatever the folder is called", async () => {
  using folder = new Folder();
  await program(folder, "it's/bin/hello", '#!/bin/sh\necho first "$@"\n');
  await program(folder, "second/hello", "#!/bin/sh\necho second\n");
  const programs = projectPrograms([folder.at("it's/bin"), folder.at("second")]);
  const launchers = launcherFolder(programs, folder.at("state"));
  expect(launcherFolder(programs, folder.at("state"))).toBe(launchers);
  expect(execFileSync(path.join(launchers ?? "", "hello"), ["a b", "c"], { encoding: "utf8" })).toBe("first a b c\n");
  expect(launcherFolder(new Map(), folder.at("state"))).toBeUndefined();
});
