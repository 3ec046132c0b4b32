import { rmSync, symlinkSync } from "node:fs";
import { expect, test } from "vitest";
import { Folder } from "../../test/support/folder.ts";
import { installedVersion, readNvm } from "./read-nvm.ts";

const installed = ["v18.20.4", "v20.9.0", "v20.11.1", "v22.3.0", "system", "v20.11.1.bak"];

test.for([
  ["20", "v20.11.1"],
  ["v20", "v20.11.1"],
  ["20.9", "v20.9.0"],
  ["20.9.0", "v20.9.0"],
  ["2", undefined],
  ["node", "v22.3.0"],
  ["16", undefined],
  ["lts/iron", undefined],
  ["../../..", undefined],
] as const)("%s is %s", ([wanted, version]) => expect(installedVersion(wanted, installed)).toBe(version));

test.for([
  ["lts/*", "v22.3.0"],
  ["lts/jod", "v22.3.0"],
  ["default", "v20.11.1"],
  ["# a comment\n\n20 # of the team\n", "v20.11.1"],
  ["loop", undefined],
  ["../../tmp", undefined],
  ["", undefined],
] as const)("a file with %j", async ([text, version]) => {
  using folder = new Folder();
  for (const name of ["v20.11.1", "v22.3.0"]) await folder.write(`nvm/versions/node/${name}/bin/node`, "");
  for (const [name, to] of Object.entries({ "lts/*": "lts/jod", "lts/jod": "v22.3.0", default: "20", loop: "loop" }))
    await folder.write(`nvm/alias/${name}`, `${to}\n`);
  await folder.write(".nvmrc", text);
  const read = readNvm(folder.path, ".nvmrc", folder.at("nvm"));
  expect("problem" in read ? [] : read.folders).toEqual(version === undefined ? [] : [folder.at(`nvm/versions/node/${version}/bin`)]);
  expect("problem" in read && read.problem.includes(".nvmrc")).toBe(version === undefined);
});

test("a link that leads out of the folder is not read, because the problem would show a word of its target", async () => {
  using folder = new Folder();
  await folder.write("keys/token", "abc123secret\n");
  await folder.write("work/version", "99\n");
  const problem = (target: string) => {
    rmSync(folder.at("work/.nvmrc"), { force: true });
    symlinkSync(target, folder.at("work/.nvmrc"));
    const read = readNvm(folder.at("work"), ".nvmrc", folder.at("nvm"));
    return "problem" in read ? read.problem : "";
  };
  expect(problem("../keys/token")).toContain("is a link that leads out of");
  expect(problem("../keys/token")).not.toContain("secret");
  expect(problem("version")).toContain("names Node 99");
});
