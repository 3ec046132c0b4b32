import { existsSync, readdirSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Folder } from "../../../test/support/folder.ts";
import { openOutputJournal } from "./output-journal.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const noReport = (problem: string): void => expect.unreachable(problem);

test("a daemon that starts after a crash reads the output of a call", async () => {
  using folder = new Folder();
  const before = openOutputJournal(folder.at("outputs"), noReport);
  before.add("s1.task", "call/1", "line 1\n");
  before.add("s1.task", "call/1", "line 2\n");
  vi.advanceTimersByTime(300);
  const after = openOutputJournal(folder.at("outputs"), noReport);
  expect(await after.read("s1.task", "call/1")).toBe("line 1\nline 2\n");
  expect(await after.read("s1.task", "call/2")).toBe("");
  after.remove("s1.task", "call/1");
  expect(await after.read("s1.task", "call/1")).toBe("");
});

test("nothing is written for a quick call, and the file of a long one is removed", () => {
  using folder = new Folder();
  const journal = openOutputJournal(folder.at("outputs"), noReport);
  journal.add("s", "quick", "done\n");
  journal.remove("s", "quick");
  vi.advanceTimersByTime(1_000);
  expect(existsSync(folder.at("outputs"))).toBe(false);
  journal.add("s", "long", "one\n");
  vi.advanceTimersByTime(300);
  expect(readdirSync(folder.at("outputs/s"))).toEqual(["long.txt"]);
  journal.add("s", "long", "two\n");
  journal.remove("s", "long");
  vi.advanceTimersByTime(1_000);
  expect(readdirSync(folder.at("outputs/s"))).toEqual([]);
});

test("a flood leaves its end only, and only the user can read it", async () => {
  using folder = new Folder();
  const journal = openOutputJournal(folder.at("outputs"), noReport);
  for (let i = 0; i < 10_000; i++) journal.add("s", "c", `line ${i}\n`);
  vi.advanceTimersByTime(300);
  const text = await openOutputJournal(folder.at("outputs"), noReport).read("s", "c");
  expect(text.length).toBe(32 * 1024);
  expect(text.endsWith("line 9999\n")).toBe(true);
  expect(statSync(folder.at("outputs/s/c.txt")).mode & 0o077).toBe(0);
  await journal.removeSession("s");
  expect(existsSync(folder.at("outputs/s"))).toBe(false);
});

test("a full disk is reported once", () => {
  using folder = new Folder();
  writeFileSync(folder.at("outputs"), "");
  const problems: string[] = [];
  const journal = openOutputJournal(path.join(folder.at("outputs"), "below"), (problem) => problems.push(problem));
  for (let i = 0; i < 3; i++) {
    journal.add("s", "c", "text");
    vi.advanceTimersByTime(300);
  }
  expect(problems).toEqual(["the output of a running command could not be written"]);
});
