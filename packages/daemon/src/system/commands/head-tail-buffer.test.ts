import { expect, test } from "vitest";
import { Folder } from "../../../test/support/folder.ts";
import { openBlobs } from "../files/blob.ts";
import { headTailBuffer } from "./head-tail-buffer.ts";

test("a short text is kept completely", async () => {
  using folder = new Folder();
  const bounded = headTailBuffer(openBlobs(folder.path));
  bounded.add("a\n");
  bounded.add("b\n");
  expect(await bounded.finish()).toEqual({ head: "a\nb\n", tail: "", omittedLines: 0, omittedBytes: 0 });
});

test("a text that fits into head and tail is kept completely", async () => {
  using folder = new Folder();
  const bounded = headTailBuffer(openBlobs(folder.path));
  const line = `${"x".repeat(99)}\n`;
  for (let i = 0; i < 1_300; i++) bounded.add(line);
  const { head, tail, omittedBytes } = await bounded.finish();
  expect({ text: head + tail, omittedBytes }).toEqual({ text: line.repeat(1_300), omittedBytes: 0 });
});

test.each([1, 7, 5_000])(
  "the ends of a long text are kept as whole lines, and a blob holds the whole text (chunks of %i lines)",
  async (lines) => {
    using folder = new Folder();
    const blobs = openBlobs(folder.path);
    const bounded = headTailBuffer(blobs);
    const whole = Array.from({ length: 20_000 }, (_, i) => `line ${i} ä😀\n`);
    for (let i = 0; i < whole.length; i += lines) if (!bounded.add(whole.slice(i, i + lines).join(""))) await bounded.drained();
    const { head, tail, omittedLines, omittedBytes, blob } = await bounded.finish();
    const text = whole.join("");
    expect(text.startsWith(head) && text.endsWith(tail) && head.endsWith("\n") && tail.startsWith("line ")).toBe(true);
    expect(head.length).toBeGreaterThan(60_000);
    expect(tail.length).toBeGreaterThan(60_000);
    expect(head.length).toBeLessThanOrEqual(64 * 1024);
    expect(tail.length).toBeLessThanOrEqual(64 * 1024);
    const omitted = text.slice(head.length, text.length - tail.length);
    expect({ omittedLines, omittedBytes }).toEqual({
      omittedLines: omitted.split("\n").length - 1,
      omittedBytes: Buffer.byteLength(omitted),
    });
    expect(Buffer.from((await blobs.read(blob ?? "")) ?? []).toString()).toBe(text);
  },
);

test("a single line without a line break is cut between characters", async () => {
  using folder = new Folder();
  const bounded = headTailBuffer(openBlobs(folder.path));
  bounded.add("x");
  for (let i = 0; i < 100; i++) bounded.add("😀".repeat(5_000));
  const { head, tail } = await bounded.finish();
  expect((head + tail).isWellFormed()).toBe(true);
});

test("if the blob cannot be written, only the middle is lost", async () => {
  using folder = new Folder();
  const file = await folder.write("file", "");
  const bounded = headTailBuffer(openBlobs(`${file}/blobs`));
  for (let i = 0; i < 100; i++) bounded.add("x".repeat(10_000));
  const ends = await bounded.finish();
  expect(ends.blob).toBeUndefined();
  expect(ends.omittedBytes).toBe(1_000_000 - ends.head.length - ends.tail.length);
});
