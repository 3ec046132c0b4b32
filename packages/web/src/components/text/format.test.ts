import { expect, test } from "vitest";
import { age, took } from "@baton/core/text/format";
import { baseOf, modelName, times } from "./format.ts";

test("times are told in the largest unit that says enough", () => {
  expect([took(400), took(11_420), took(125_000), took(3_720_000)]).toEqual(["0.4 s", "11.4 s", "2 min 5 s", "1 h 2 min"]);
  expect([age(52_900), age(360_000), age(3 * 3_600_000), age(50 * 3_600_000)]).toEqual(["52 s", "6 min", "3 h", "2 d"]);
});

test("verbs are counted", () => {
  expect([times(1, "read"), times(3, "search"), times(2, "list")]).toEqual(["1 read", "3 searches", "2 lists"]);
});

test("names are as short as people say them", () => {
  expect([modelName("anthropic/claude-opus"), modelName("demo/tour"), modelName("scripted//tmp/a/fault.json"), modelName(null)]).toEqual([
    "claude-opus",
    "demo/tour",
    "scripted fault",
    "no model",
  ]);
  expect([baseOf("/home/ada/work/ledger"), baseOf("/")]).toEqual(["ledger", "/"]);
});
