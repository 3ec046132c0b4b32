import { expect, test } from "vitest";
import { Folder } from "../../test/support/folder.ts";
import { filesToApprove } from "./files-to-approve.ts";

const direnv = { tool: "direnv", source: ".envrc" } as const;
const names = (folder: Folder) => filesToApprove(direnv, folder.path)?.files.map(({ name }) => name);

test.for([
  ["export A=1", [".envrc"]],
  ["source_env more.sh", [".envrc", "more.sh", "deep/last.sh"]],
  ['. "$PWD/more.sh"', [".envrc", "more.sh", "deep/last.sh"]],
  ['. "$(dirname "$0")/deep/last.sh"', [".envrc", "deep/last.sh"]],
  ["source ${BASH_SOURCE%/*}/more.sh", [".envrc", "more.sh", "deep/last.sh"]],
  ["for each in deep/*.sh; do . $each; done", [".envrc", "deep/last.sh"]],
  ["case $1 in *) true; esac", [".envrc"]],
  ["source ./more.sh", [".envrc", "more.sh", "deep/last.sh"]],
  ["dotenv", [".envrc", ".env"]],
  ["dotenv_if_exists .env.local; use flake", [".envrc", ".env.local", ".env", "flake.nix"]],
  ["source ../outside.sh /etc/hosts", [".envrc"]],
  ["layout python3; A=$(cat more.sh)", [".envrc", "more.sh", "deep/last.sh"]],
] as const)("%s", async ([text, expected]) => {
  using folder = new Folder();
  for (const [name, content] of Object.entries({
    ".envrc": text,
    "more.sh": "source deep/last.sh",
    "deep/last.sh": "",
    ".env": "A=1",
    ".env.local": "",
    "flake.nix": "",
  }))
    await folder.write(name, content);
  expect(names(folder)).toEqual(expected);
});

test("the hash changes with every covered file, and with nothing else", async () => {
  using folder = new Folder();
  await folder.write(".envrc", "source_env more.sh");
  await folder.write("more.sh", "one");
  const hashNow = () => filesToApprove(direnv, folder.path)?.hash;
  const first = hashNow();
  await folder.write("other.sh", "two");
  expect(hashNow()).toBe(first);
  await folder.write("more.sh", "two");
  expect(hashNow()).not.toBe(first);
});

test("a file that comes to match a pattern changes the hash, and the sources of a task do not", async () => {
  using folder = new Folder();
  await folder.write(".envrc", "for each in env.d/*; do . $each; done\nuse mise");
  await folder.write("mise.toml", '[tasks.build]\nsources = ["src/*.ts"]');
  const first = filesToApprove(direnv, folder.path)?.hash;
  await folder.write("src/a.ts", "");
  expect(filesToApprove(direnv, folder.path)?.hash).toBe(first);
  await folder.write("env.d/a", "export A=1");
  expect(filesToApprove(direnv, folder.path)?.hash).not.toBe(first);
});

test("files that include each other end, and tools that run nothing need no approval", async () => {
  using folder = new Folder();
  await folder.write(".envrc", "source_env a.sh");
  await folder.write("a.sh", "source_env b.sh .envrc");
  await folder.write("b.sh", "source_env a.sh");
  expect(names(folder)).toEqual([".envrc", "a.sh", "b.sh"]);
  expect(filesToApprove({ tool: "venv", source: ".venv" }, folder.path)).toBeUndefined();
});
