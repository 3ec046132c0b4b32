import { expect, test } from "vitest";
import { callKey, rememberCall, countRepeats } from "./loop-detection.ts";

const of = (text: string) => text.split("");

test("the third equal call in a row, and the third round of two alternating calls, are repeats", () => {
  expect(countRepeats(of("aa"), "a")).toBe("same");
  expect(countRepeats(of("aba"), "a")).toBeUndefined();
  expect(countRepeats(of("ababa"), "b")).toBe("ping-pong");
  expect(countRepeats(of("abab"), "a")).toBeUndefined();
  expect(countRepeats(of("abcab"), "c")).toBeUndefined();
  expect(countRepeats([], "a")).toBeUndefined();
});

test("only the newest calls are remembered", () => expect(rememberCall(of("abcdef"), "g")).toEqual(of("bcdefg")));

test("long arguments are compared completely", () => {
  const write = (end: string) => callKey({ tool: "write_file", input: { content: "x".repeat(10_000) + end } });
  expect(write("a")).not.toBe(write("b"));
  expect(write("a").length).toBeLessThan(450);
});
