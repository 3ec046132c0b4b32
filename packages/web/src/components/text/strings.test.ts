import { expect, test } from "vitest";
import { formatAge, formatDuration, shortModelName } from "@baton/core/text/format";
import { baseName, countTimes } from "./strings.ts";

test("times are shown in the largest unit that is precise enough", () => {
  expect([formatDuration(400), formatDuration(11_420), formatDuration(125_000), formatDuration(3_720_000)]).toEqual([
    "0.4 s",
    "11.4 s",
    "2 min 5 s",
    "1 h 2 min",
  ]);
  expect([formatAge(52_900), formatAge(360_000), formatAge(3 * 3_600_000), formatAge(50 * 3_600_000)]).toEqual([
    "52 s",
    "6 min",
    "3 h",
    "2 d",
  ]);
});

test("counts of actions use the singular and the plural", () => {
  expect([countTimes(1, "read"), countTimes(3, "search"), countTimes(2, "list")]).toEqual(["1 read", "3 searches", "2 lists"]);
});

test("names are as short as in common use", () => {
  expect([
    shortModelName("anthropic/claude-opus"),
    shortModelName("demo/tour"),
    shortModelName("scripted//tmp/a/fault.json"),
    shortModelName(null),
  ]).toEqual(["claude-opus", "demo/tour", "scripted fault", "no model"]);
  expect([baseName("/home/ada/work/ledger"), baseName("/")]).toEqual(["ledger", "/"]);
});
