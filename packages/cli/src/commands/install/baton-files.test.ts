import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { batonPaths } from "@baton/daemon/client";
import { afterAll, expect, test } from "vitest";
import { filesOfBaton, removeFilesOfBaton } from "./baton-files.ts";

const folder = mkdtempSync(path.join(tmpdir(), "baton-own-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function homeWith(name: string, files: readonly string[]) {
  const home = path.join(folder, name);
  for (const file of files) {
    mkdirSync(path.join(home, path.dirname(file)), { recursive: true });
    writeFileSync(path.join(home, file), "");
  }
  return { home, paths: batonPaths({ BATON_HOME: home }) };
}

const OWN = [
  "baton.db",
  "baton.db-wal",
  "backups/baton-2026-11-24T15-05-07-206Z.db",
  "blobs/ab/abcd",
  "log/daemon.log",
  "daemon.json",
  "history.jsonl",
  "config.jsonc",
  "sandbox/0123456789abcdef/home/.npmrc",
  "plugins/kit/plugin.json",
];

test("a folder that contains only Baton's files is removed", () => {
  const { home, paths } = homeWith("own", OWN);
  expect(removeFilesOfBaton(paths)).toEqual([]);
  expect(existsSync(home)).toBe(false);
});

test("the user's files stay, even in Baton's folders", () => {
  const others = ["AGENTS.md", "modes/docs.md", "backups/holiday.zip", "log/web.log", "notes.db"];
  const { home, paths } = homeWith("shared", [...OWN, ...others]);
  expect(filesOfBaton(paths).own).toHaveLength(OWN.length);
  const left = removeFilesOfBaton(paths).map((file) => path.relative(home, file));
  expect(left.toSorted()).toEqual(["AGENTS.md", "backups/holiday.zip", "log/web.log", "modes", "notes.db"]);
  expect(globSync("**/*.*", { cwd: home }).toSorted()).toEqual(others.toSorted());
});

/** Names in the folder of the state, as the code of the daemon and of the terminal client writes them. */
function namesInCode(): string[] {
  const packages = fileURLToPath(new URL("../../../../", import.meta.url));
  const files = ["daemon", "cli"].flatMap((name) => globSync(`${name}/src/**/*.ts`, { cwd: packages }));
  const texts = files.filter((file) => !file.endsWith(".test.ts")).map((file) => readFileSync(path.join(packages, file), "utf8"));
  return [...new Set(texts.flatMap((text) => [...text.matchAll(/\bstate, "([\w.-]+)"\)/g)].map(([, name = ""]) => name)))].filter(
    (name) => name !== "backups", // only emptied
  );
}

test("everything that Baton writes into the folder of its state is its own", () => {
  const names = namesInCode();
  expect(names).toEqual(expect.arrayContaining(["baton.db", "sandbox", "environments", "model-catalog.json"]));
  const { paths } = homeWith("code", names);
  expect(filesOfBaton(paths).others).toEqual([]);
});

test("the folder of the log may be inside the folder of the state, as on Linux", () => {
  const { home, paths } = homeWith("linux", [
    "baton.db",
    "daemon.log",
    "backups/before-update-0.1.0-1.db",
    "config/config.jsonc",
    "config/AGENTS.md",
    "config/plugins/mine.json",
    "sandbox/0123456789abcdef/tmp/x",
  ]);
  const left = removeFilesOfBaton({ ...paths, log: home, config: path.join(home, "config") });
  expect(left.map((file) => path.relative(home, file))).toEqual(["config/AGENTS.md", "config/plugins"]);
});

test("without any folder there is nothing to remove", () => {
  expect(removeFilesOfBaton(batonPaths({ BATON_HOME: path.join(folder, "none") }))).toEqual([]);
});
