import {
  chmodSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { Folder } from "../../../test/support/folder.ts";
import { pathGate } from "../../permission/path.ts";
import { openEditorBuffers } from "./editor-buffers.ts";
import { openFiles } from "./files.ts";

const { signal } = new AbortController();
const filesOf = (folder: Folder) => openFiles(pathGate(folder.path), { buffers: openEditorBuffers() });

test("a text is read exactly as it is in the file", async () => {
  using folder = new Folder();
  await folder.write("a.ts", "\ufeffä\r\nb");
  expect(await filesOf(folder).readText("a.ts", signal)).toMatchObject({ relative: "a.ts", text: "\ufeffä\r\nb", size: 8 });
});

test("a large text can be read", async () => {
  using folder = new Folder();
  const text = "0123456789\n".repeat(100_000);
  await folder.write("a.txt", text);
  expect(await filesOf(folder).readText("a.txt", signal)).toMatchObject({ text });
});

test("binary, badly encoded and too large files get different errors", async () => {
  using folder = new Folder();
  await folder.write("nul", "a\0b");
  await folder.write("latin", Buffer.from([0x61, 0xe4]));
  await folder.write("large", "x".repeat(10 * 1024 * 1024 + 1));
  mkdirSync(folder.at("dir"));
  execFileSync("mkfifo", [folder.at("fifo")]);
  const files = filesOf(folder);
  const faults = ["nul", "latin", "large", "dir", "fifo", "missing", "nul/x", "a\0"].map(async (named) => {
    const read = await files.readText(named, signal);
    return "fault" in read ? { ...read, ...(read.siblings ? { siblings: read.siblings.toSorted() } : {}) } : "no fault";
  });
  expect(await Promise.all(faults)).toEqual([
    { fault: "binary", message: "nul is not UTF-8 text (3 bytes)." },
    { fault: "binary", message: "latin is not UTF-8 text (2 bytes)." },
    { fault: "too_large", message: "large has 11 MB. Baton reads files of at most 10 MB." },
    { fault: "not_a_file", message: "dir is a folder." },
    { fault: "not_a_file", message: "fifo is not a regular file." },
    { fault: "missing", message: "There is no missing.", siblings: ["dir", "fifo", "large", "latin", "nul"] },
    { fault: "not_a_folder", message: "A part of the path nul/x is a file, not a folder." },
    { fault: "refused", message: "The path holds a NUL character. Leave it out." },
  ]);
});

test("a socket is never opened", async () => {
  using folder = new Folder();
  const server = createServer().listen(folder.at("socket"));
  await once(server, "listening");
  expect(await filesOf(folder).readText("socket", signal)).toMatchObject({ fault: "not_a_file" });
  server.close();
});

test("a file that becomes a link after the gate is not followed", async () => {
  using folder = new Folder();
  using elsewhere = new Folder();
  const real = await folder.write("a.ts", "");
  await elsewhere.write("secret", "secret");
  const files = openFiles(() => ({ real, relative: "a.ts" }), { buffers: openEditorBuffers() });
  unlinkSync(real);
  symlinkSync(elsewhere.at("secret"), real);
  expect(await files.readText("a.ts", signal)).toMatchObject({ fault: "not_a_file" });
  expect(await files.writeText("a.ts", "x", signal)).toMatchObject({ fault: "not_a_file" });
  expect(readFileSync(elsewhere.at("secret"), "utf8")).toBe("secret");
});

test("a folder that becomes a link after the gate does not lead outside", async () => {
  using folder = new Folder();
  using elsewhere = new Folder();
  const real = await folder.write("src/a.ts", "mine");
  await elsewhere.write("a.ts", "secret");
  const files = openFiles(() => ({ real, relative: "src/a.ts" }), { buffers: openEditorBuffers() });
  renameSync(folder.at("src"), folder.at("old"));
  symlinkSync(elsewhere.path, folder.at("src"));
  expect(await files.readText("src/a.ts", signal)).toMatchObject({ fault: "moved" });
  expect(await files.writeText("src/a.ts", "x", signal)).toMatchObject({ fault: "moved" });
  expect(readFileSync(elsewhere.at("a.ts"), "utf8")).toBe("secret");
  expect(readdirSync(elsewhere.path)).toEqual(["a.ts"]);
});

test("writing creates the parent folders and leaves no other files", async () => {
  using folder = new Folder();
  expect(await filesOf(folder).writeText("new/deep/a.ts", "hello", signal)).toEqual({ relative: "new/deep/a.ts", created: true });
  expect(readFileSync(folder.at("new/deep/a.ts"), "utf8")).toBe("hello");
  expect(readdirSync(folder.at("new/deep"))).toEqual(["a.ts"]);
  expect(statSync(folder.at("new/deep/a.ts")).mode & 0o777).toBe(0o666 & ~process.umask());
});

test("writing keeps the file's permissions", async () => {
  using folder = new Folder();
  const file = await folder.write("run.sh", "old");
  chmodSync(file, 0o751);
  expect(await filesOf(folder).writeText("run.sh", "new", signal)).toEqual({ relative: "run.sh", created: false });
  expect([statSync(file).mode & 0o7777, readFileSync(file, "utf8")]).toEqual([0o751, "new"]);
});

test("after a write, another hard link of the file keeps the old text", async () => {
  using folder = new Folder();
  using elsewhere = new Folder();
  await elsewhere.write("outside", "old");
  linkSync(elsewhere.at("outside"), folder.at("inside"));
  await filesOf(folder).writeText("inside", "new", signal);
  expect(readFileSync(elsewhere.at("outside"), "utf8")).toBe("old");
});

test("writing to a link inside the workspace changes its target", async () => {
  using folder = new Folder();
  await folder.write("a.ts", "old");
  symlinkSync("a.ts", folder.at("link.ts"));
  expect(await filesOf(folder).writeText("link.ts", "new", signal)).toEqual({ relative: "a.ts", created: false });
  expect(readFileSync(folder.at("a.ts"), "utf8")).toBe("new");
});

test("a file that cannot be written stays as it is, and the error gives the reason", async () => {
  using folder = new Folder();
  const file = await folder.write("locked", "old");
  chmodSync(file, 0o444);
  mkdirSync(folder.at("dir"));
  const files = filesOf(folder);
  expect(await files.writeText("locked", "new", signal)).toEqual({
    fault: "forbidden",
    message: "locked is read-only. Ask the user before you change it.",
  });
  expect(await files.writeText("dir", "new", signal)).toEqual({ fault: "not_a_file", message: "dir is a folder." });
  expect(await files.writeText("locked/a", "new", signal)).toMatchObject({ fault: "not_a_folder" });
  expect(readFileSync(file, "utf8")).toBe("old");
});

test("an aborted call writes nothing", async () => {
  using folder = new Folder();
  const stopped = AbortSignal.abort(new Error("stopped"));
  await expect(filesOf(folder).writeText("a.ts", "x", stopped)).rejects.toThrow("stopped");
  await expect(filesOf(folder).readText("a.ts", stopped)).rejects.toThrow("stopped");
  expect(readdirSync(folder.path)).toEqual([]);
});

test("a folder is listed by name, with the kind of each entry", async () => {
  using folder = new Folder();
  await folder.write("b.ts", "");
  mkdirSync(folder.at("a"));
  symlinkSync("b.ts", folder.at("c"));
  expect(await filesOf(folder).list(".", signal)).toEqual({
    relative: ".",
    leftOut: 0,
    entries: [
      { name: "a", kind: "folder" },
      { name: "b.ts", kind: "file" },
      { name: "c", kind: "link" },
    ],
  });
  expect(await filesOf(folder).list("b.ts", signal)).toMatchObject({ fault: "not_a_folder" });
});

test("the kind of a path can be queried", async () => {
  using folder = new Folder();
  writeFileSync(folder.at("a"), "abc");
  expect(filesOf(folder).stat("a")).toMatchObject({ relative: "a", kind: "file", size: 3 });
  expect(filesOf(folder).stat(".")).toMatchObject({ kind: "folder" });
  expect(filesOf(folder).stat("b")).toMatchObject({ fault: "missing" });
});

test("while a folder is swapped for a link again and again, nothing outside is read or written", async () => {
  using folder = new Folder();
  using elsewhere = new Folder();
  await folder.write("src/a.ts", "mine");
  await elsewhere.write("a.ts", "secret");
  const swapping = 'while :; do mv src old; ln -s "$0" src; rm src; mv old src; done';
  const swapper = spawn("bash", ["-c", swapping, elsewhere.path], { cwd: folder.path, stdio: "ignore" });
  const files = openFiles(() => ({ real: folder.at("src/a.ts"), relative: "src/a.ts" }), { buffers: openEditorBuffers() });
  const seen = new Set<string>();
  for (let i = 0; i < 300; i++) {
    const read = await files.readText("src/a.ts", signal);
    if ("text" in read) seen.add(read.text);
    await files.writeText("src/a.ts", "mine", signal);
  }
  swapper.kill("SIGKILL");
  await once(swapper, "exit");
  expect([...seen]).toEqual(["mine"]);
  expect(readFileSync(elsewhere.at("a.ts"), "utf8")).toBe("secret");
  expect(readdirSync(elsewhere.path).filter((name) => statSync(elsewhere.at(name)).size > 0)).toEqual(["a.ts"]);
});
