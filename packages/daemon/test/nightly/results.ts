import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Tried } from "../harness/record.ts";
import type { Row } from "./matrix.ts";

export type Case = { file: string; name: string; passed: boolean; tookMs: number };
type Report = { testResults: { name: string; assertionResults: { title: string; status: string; duration?: number }[] }[] };

/** The cases of a run, with files relative to `folder`. Leaves out cases that could not run here (no root, no sandbox). */
export function casesOf(reportFile: string, folder: string): Case[] {
  if (!existsSync(reportFile)) return [];
  const { testResults } = JSON.parse(readFileSync(reportFile, "utf8")) as Report; // written by vitest
  return testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === "passed" || status === "failed")
      .map(({ title, status, duration = 0 }) => ({
        file: path.relative(folder, name),
        name: title,
        passed: status === "passed",
        tookMs: duration,
      })),
  );
}

/** Counts that the tests made themselves. */
export const countedIn = (file: string): Tried[] =>
  existsSync(file)
    ? readFileSync(file, "utf8")
        .split("\n")
        .slice(0, -1)
        .map((line) => JSON.parse(line) as Tried)
    : [];

/**
 * The number of attempts of a row, and of those that lost something. The tests' own counts come first, and otherwise each case counts
 * once.
 */
export function triedOf(row: Row, cases: readonly Case[], counted: readonly Tried[]): { tried: number; lost: number } {
  const own = cases.filter((each) => isOf(row, each));
  const failed = own.filter(({ passed }) => !passed).length;
  const counts = counted.filter((each) => each.row === row.row);
  const sum = (key: "tried" | "lost") => counts.reduce((all, each) => all + each[key], 0);
  return counts.length > 0 ? { tried: sum("tried"), lost: Math.max(sum("lost"), failed) } : { tried: own.length, lost: failed };
}

/** Whether this case belongs to the row. */
export const isOf = ({ tests }: Row, { file, name }: Case): boolean =>
  tests.some((test) => test.file === file && (test.names?.some((begin) => name.includes(begin)) ?? true));
