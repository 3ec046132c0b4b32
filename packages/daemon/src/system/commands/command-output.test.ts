import { expect, test } from "vitest";
import { openCommandOutput } from "./command-output.ts";

test("the model gets each text once, and users can read it again", () => {
  const output = openCommandOutput();
  output.add("one\n");
  expect(output.take()).toEqual({ text: "one\n", omitted: 0 });
  output.add("two\n");
  expect(output.take()).toEqual({ text: "two\n", omitted: 0 });
  expect(output.take()).toEqual({ text: "", omitted: 0 });
  expect(output.read(0)).toEqual({ start: 0, text: "one\ntwo\n" });
  expect(output.read(4)).toEqual({ start: 4, text: "two\n" });
});

test("only the newest part of a long output is kept", () => {
  const output = openCommandOutput();
  output.add("a".repeat(10));
  output.take();
  for (let i = 0; i < 100; i++) output.add("b".repeat(1_000));
  const { text, omitted } = output.take();
  expect([text.length, omitted]).toEqual([32 * 1024, 100_000 - 32 * 1024]);
  expect(output.read(0)).toEqual({ start: 100_010 - 32 * 1024, text });
  expect(output.read(100_000)).toEqual({ start: 100_000, text: "b".repeat(10) });
});

test("a reader is notified of the next text", async () => {
  const output = openCommandOutput();
  const next = output.next();
  output.add("text");
  await next;
  expect(output.read(0).text).toBe("text");
});
