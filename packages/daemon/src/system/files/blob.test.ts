import { createHash } from "node:crypto";
import { readdirSync, statSync } from "node:fs";
import { expect, test } from "vitest";
import { Folder } from "../../../test/support/folder.ts";
import { openBlobs } from "./blob.ts";

const text = async (bytes: Promise<Uint8Array | undefined>) => Buffer.from((await bytes) ?? []).toString();

test("a blob can be read completely and in part, by its sha256", async () => {
  using folder = new Folder();
  const blobs = openBlobs(folder.at("blobs"));
  const hash = await blobs.put(Buffer.from("hello world"));
  expect(hash).toBe(createHash("sha256").update("hello world").digest("hex"));
  expect(await text(blobs.read(hash))).toBe("hello world");
  expect(await text(blobs.read(hash, { start: 6, end: 100 }))).toBe("world");
  expect(await text(blobs.read(hash, { start: 0, end: 5 }))).toBe("hello");
  expect(await text(blobs.read(hash, { start: 50, end: 60 }))).toBe("");
});

test("a stream gets the same name as its bytes", async () => {
  using folder = new Folder();
  const blobs = openBlobs(folder.path);
  async function* parts() {
    yield Buffer.from("hello ");
    yield Buffer.from("world");
  }
  expect(await blobs.put(parts())).toBe(await blobs.put(Buffer.from("hello world")));
});

test("only the user can read it", async () => {
  using folder = new Folder();
  const hash = await openBlobs(folder.at("blobs")).put(Buffer.from("x"));
  expect(statSync(folder.at(`blobs/${hash.slice(0, 2)}/${hash}`)).mode & 0o777).toBe(0o600);
  expect(statSync(folder.at("blobs")).mode & 0o777).toBe(0o700);
});

test("a writer stores no more than its limit", async () => {
  using folder = new Folder();
  const blobs = openBlobs(folder.path);
  const writer = blobs.writer(10);
  for (let i = 0; i < 5; i++) writer.write(Buffer.from("1234"));
  expect(await text(blobs.read(await writer.finish()))).toBe("1234123412");
});

test("a stream that fails leaves nothing behind", async () => {
  using folder = new Folder();
  const breaking = async function* () {
    yield Buffer.from("x");
    throw new Error("broken");
  };
  await expect(openBlobs(folder.path).put(breaking())).rejects.toThrow("broken");
  expect(readdirSync(folder.path)).toEqual([]);
});

test("an unknown hash and an invalid hash are not found", async () => {
  using folder = new Folder();
  const blobs = openBlobs(folder.path);
  expect(await blobs.read("0".repeat(64))).toBeUndefined();
  expect(await blobs.read("../../etc/passwd")).toBeUndefined();
});
