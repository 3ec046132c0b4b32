import { expect, test } from "vitest";
import { keyOfCall, remembered, repeats } from "./loop-detection.ts";

const of = (text: string) => text.split("");

test("the third of the same in a row, and the third round of two in turn, are repeats", () => {
  expect(repeats(of("aa"), "a")).toBe("same");
  expect(repeats(of("aba"), "a")).toBeUndefined();
  expect(repeats(of("ababa"), "b")).toBe("ping-pong");
  expect(repeats(of("abab"), "a")).toBeUndefined();
  expect(repeats(of("abcab"), "c")).toBeUndefined();
  expect(repeats([], "a")).toBeUndefined();
});

test("only the newest calls are remembered", () => expect(remembered(of("abcdef"), "g")).toEqual(of("bcdefg")));

test("long arguments are told apart by more than their beginning", () => {
  const write = (end: string) => keyOfCall({ tool: "write_file", input: { content: "x".repeat(10_000) + end } });
  expect(write("a")).not.toBe(write("b"));
  expect(write("a").length).toBeLessThan(450);
});
