import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { fetchRepository } from "./fetch-repository.ts";

const MB = 1024 * 1024;
const limits = { download: 2 * MB, bytes: 4 * MB, files: 20 };

let root: string;
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), "baton-fetch-"));
  mkdirSync(to());
});
afterEach(() => rmSync(root, { recursive: true }));
const to = () => path.join(root, "to");
const home = () => path.join(root, "home");

const git = (cwd: string, ...args: string[]) =>
  execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.com", ...args], { cwd, stdio: "ignore" });

/** A repository with one commit. */
function repository(files: Record<string, string | Buffer>): { kind: "git"; address: string } {
  const folder = path.join(root, "repository");
  mkdirSync(folder);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), content);
  }
  git(folder, "init", "--quiet");
  git(folder, "add", "-A");
  git(folder, "commit", "--quiet", "-m", "first");
  return { kind: "git", address: `file://${folder}` };
}

const fetch = (source: ReturnType<typeof repository>) => fetchRepository(source, to(), { ...process.env, HOME: home() }, limits);
const many = (count: number, folder = "") => Object.fromEntries(Array.from({ length: count }, (_, i) => [`${folder}${i}`, `${i}`]));

const CASES: Record<string, { files: () => Record<string, string | Buffer>; says?: RegExp }> = {
  "a download at its limit": { files: () => ({ a: randomBytes(1.9 * MB) }) },
  "a download above its limit": { files: () => ({ a: randomBytes(2.1 * MB) }), says: /download is larger than 2 MB/ },
  "files at their limit": { files: () => ({ a: Buffer.alloc(3.9 * MB) }) },
  "a small download that would become large": { files: () => ({ a: Buffer.alloc(16 * MB) }), says: /it is larger than 4 MB/ },
  "two files that are too large together": {
    files: () => ({ a: Buffer.alloc(3 * MB, "a"), b: Buffer.alloc(3 * MB, "b") }),
    says: /it is larger than 4 MB/,
  },
  "as many files as allowed": { files: () => many(20) },
  "one file too many": { files: () => many(21), says: /more than 20 files/ },
  "far too many files": { files: () => many(200, "folder/"), says: /more than 20 files/ },
};

test.for(Object.entries(CASES))("%s", async ([, { files, says }]) => {
  const fetched = await fetch(repository(files()));
  const problem = "problem" in fetched ? fetched.problem : "";
  expect(problem).toMatch(says ?? /^$/);
  expect(readdirSync(to()).filter((name) => name !== ".git").length > 0).toBe(says === undefined); // a large one is never unpacked
});

/** Sends the beginning of a pack with one file that never ends. */
const ENDLESS = `#!${process.execPath}
const { createDeflate } = require("node:zlib");
const { randomBytes } = require("node:crypto");
const size = [];
let left = 2 ** 40;
let byte = (3 << 4) | (left % 16);
for (left = Math.floor(left / 16); left > 0; left = Math.floor(left / 128)) { size.push(byte | 128); byte = left % 128; }
size.push(byte);
process.stdout.on("error", () => process.exit());
process.stdout.write(Buffer.from([80, 65, 67, 75, 0, 0, 0, 2, 0, 0, 0, 1, ...size]));
const packed = createDeflate({ level: 0 });
packed.pipe(process.stdout);
setInterval(() => packed.write(randomBytes(256 * 1024)), 20);
`;

test("a download that never ends is stopped soon after its limit, and leaves no process", async () => {
  mkdirSync(home());
  const hook = path.join(home(), "endless.cjs");
  writeFileSync(hook, ENDLESS);
  chmodSync(hook, 0o755);
  writeFileSync(path.join(home(), ".gitconfig"), `[uploadpack]\n\tpackObjectsHook = ${hook}\n`);
  const fetched = await fetch(repository({ a: "a" }));
  expect(fetched).toEqual({ problem: expect.stringContaining("download is larger than 2 MB") as string });
  const packs = path.join(to(), ".git", "objects", "pack");
  const sizes = existsSync(packs) ? readdirSync(packs).map((name) => statSync(path.join(packs, name)).size) : [];
  expect(Math.max(0, ...sizes)).toBeLessThan(64 * MB);
  await expect.poll(() => execFileSync("ps", ["-eo", "args"], { encoding: "utf8" }).includes(hook)).toBe(false);
});
