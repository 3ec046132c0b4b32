import { symlinkSync } from "node:fs";
import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { Workbench } from "../../../test/support/workbench.ts";

test("lines are shown with their numbers", async () => {
  await using bench = await Workbench.open({ "a.ts": "\ufeffone\r\ntwo\r\n" });
  expect(await bench.run("read_file", { path: "a.ts" })).toEqual({ outcome: "ok", text: "1\tone\n2\ttwo", end: "1–2" });
});

test("a part can be read by its first and last line", async () => {
  await using bench = await Workbench.open({ "a.ts": "one\ntwo\nthree\nfour\n" });
  expect(await bench.run("read_file", { path: "a.ts", start_line: 2, end_line: 3 })).toMatchObject({
    text: "2\ttwo\n3\tthree",
    end: "2–3",
  });
  expect(await bench.run("read_file", { path: "a.ts", start_line: 4, end_line: 99 })).toMatchObject({ text: "4\tfour", end: "4" });
});

test("a long file is read in parts, and each part says how to continue", async () => {
  await using bench = await Workbench.open({ "a.txt": "x\n".repeat(5_000) });
  const first = await bench.run("read_file", { path: "a.txt" });
  expect([first.end, first.text.split("\n").at(-1)]).toEqual(["1–2000", "(lines 1 to 2000 of 5,000; continue with start_line 2001)"]);
  const last = await bench.run("read_file", { path: "a.txt", start_line: 4_001 });
  expect([last.end, last.text.split("\n").at(-1)]).toEqual(["4001–5000", "5000\tx"]);
});

test("wide lines make a part shorter, and each of them is cut", async () => {
  await using bench = await Workbench.open({ "a.txt": `${"x".repeat(5_000)}\n`.repeat(200) });
  const { text, end } = await bench.run("read_file", { path: "a.txt" });
  expect(text.length).toBeLessThan(102_000);
  expect(text.startsWith(`1\t${"x".repeat(2_000)}… (3000 more characters)\n`)).toBe(true);
  expect(end).toBe("1–49");
});

test("an image or a PDF is recognized by its first bytes, whatever its name is, and is kept for the model to see", async () => {
  const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0]);
  await using bench = await Workbench.open({ "docs/notes.txt": png, "plan.md": "%PDF-1.4\nonly letters\n", "shot.png": "no picture\n" });
  expect(await bench.run("read_file", { path: "docs/notes.txt" })).toEqual({
    outcome: "ok",
    text: "docs/notes.txt: PNG image, 1 KB.",
    end: "PNG image, 1 KB",
    images: [{ blob: createHash("sha256").update(png).digest("hex"), mediaType: "image/png", bytes: 9, name: "notes.txt" }],
  });
  expect(await bench.run("read_file", { path: "plan.md" })).toMatchObject({ end: "PDF, 1 KB", images: [{ mediaType: "application/pdf" }] });
  expect(await bench.run("read_file", { path: "shot.png" })).toEqual({ outcome: "ok", text: "1\tno picture", end: "1" });
});

test("the error about a file that cannot be read says what to do", async () => {
  await using bench = await Workbench.open({ "src/booking.ts": "x\n", "image.png": new Uint8Array([1, 0, 2]), empty: "" });
  const read = async (input: object) => {
    const { outcome, text, end } = await bench.run("read_file", input);
    return [outcome, text, end];
  };
  expect(await read({ path: "src/boking.ts" })).toEqual(["failed", "There is no src/boking.ts. Did you mean src/booking.ts?", undefined]);
  expect(await read({ path: "src/other.ts" })).toEqual([
    "failed",
    "There is no src/other.ts. Use list_files or glob to find it.",
    undefined,
  ]);
  expect(await read({ path: "src" })).toEqual(["failed", "src is a folder. Use list_files to list its content.", undefined]);
  expect(await read({ path: "image.png" })).toEqual([
    "failed",
    "image.png is not UTF-8 text (3 bytes). Use run_command to look at it with a program.",
    undefined,
  ]);
  expect(await read({ path: "src/booking.ts", start_line: 9 })).toEqual([
    "failed",
    "src/booking.ts has 1 lines, so start_line 9 is after its end.",
    undefined,
  ]);
  expect(await read({ path: "empty" })).toEqual(["ok", "empty is empty.", "empty"]);
});

test("a link that leads nowhere is not suggested in place of its target", async () => {
  await using bench = await Workbench.open({ "b.txt": "x" });
  symlinkSync("nothing.txt", bench.folder.at("nothing2.txt"));
  symlinkSync("b.txt", bench.folder.at("link-to-b.txt"));
  expect((await bench.run("read_file", { path: "nothing2.txt" })).text).not.toContain("Did you mean");
  expect((await bench.run("read_file", { path: "link-to-c.txt" })).text).toContain("Did you mean link-to-b.txt?");
});
