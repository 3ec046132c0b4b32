import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { createTarGzip } from "nanotar";
import { afterEach, beforeEach, expect, test } from "vitest";
import { MAX_BYTES, MAX_FILES } from "../list-plugin-files.ts";
import { unpackTarball } from "./unpack-tarball.ts";

let root: string;
beforeEach(() => (root = mkdtempSync(path.join(tmpdir(), "baton-tarball-"))));
afterEach(() => rmSync(root, { recursive: true }));

const to = () => path.join(root, "to");
const file = (name: string, data: string | Uint8Array = "x", mode = "644") => ({ name, data, attrs: { mode } });

test("a package is unpacked without its folder, and its programs stay programs", async () => {
  expect(await unpackTarball(await createTarGzip([file("package/a/b"), file("package/run", "x", "755")]), to())).toBeUndefined();
  expect(readdirSync(to())).toEqual(["a", "run"]);
  expect([statSync(path.join(to(), "a", "b")).mode & 0o111, statSync(path.join(to(), "run")).mode & 0o111]).toEqual([0, 0o111]);
});

/** A tarball in which a name or a type is replaced after it was packed. The checksum of the header is corrected. */
async function forged(change: (header: Buffer) => void): Promise<Buffer> {
  const tar = Buffer.from(gunzipSync(await createTarGzip([file("package/aaaaaaaaaaaaaaaaaaaa")])));
  change(tar);
  tar.fill(" ", 148, 156);
  const sum = tar.subarray(0, 512).reduce((all, byte) => all + byte, 0);
  tar.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return gzipSync(tar);
}

/** A name that no other program uses. */
const OUT = "outside-of-a-package";

test.each([`../../../${OUT}`, `package/../../${OUT}`, `/tmp/${OUT}`, `package//etc/${OUT}`, `package/..\\${OUT}`])(
  "an entry %s never leaves the folder",
  async (name) => {
    const tarball = await forged((header) => header.fill(0, 0, 100).write(name, 0));
    await unpackTarball(tarball, to());
    expect([
      existsSync(path.join(root, OUT)),
      existsSync(`/tmp/${OUT}`),
      existsSync(`/etc/${OUT}`),
      readdirSync(root).filter((each) => each !== "to"),
    ]).toEqual([false, false, false, []]);
  },
);

test.each(["1", "2", "3", "4", "6"])("an entry of the type %s is refused: a link, a device or a pipe", async (type) => {
  expect(await unpackTarball(await forged((header) => void header.write(type, 156)), to())).toMatch(/neither a file nor a folder/);
});

test("a tarball that is broken, has too many files or is too large is refused", async () => {
  expect(await unpackTarball(Buffer.from("not a tarball"), to())).toMatch(/broken/);
  const many = Array.from({ length: MAX_FILES + 1 }, (_, i) => file(`package/${i}`, ""));
  expect(await unpackTarball(await createTarGzip(many), to())).toMatch(/more than/);
  expect(await unpackTarball(gzipSync(Buffer.alloc(MAX_BYTES + MAX_FILES * 2_048 + 1)), to())).toMatch(/larger than/);
});
