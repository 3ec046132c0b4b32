import path from "node:path";
import { matrix } from "./matrix.ts";
import { casesOf, isOf } from "./results.ts";

/** All rows of the fault matrix, on every push. */
export const MAX_SECONDS = 300;

export type PushTime = { seconds: number; ran: number; longest: readonly { row: string; seconds: number }[] };

/** The times of the rows in the last `npm test`, if its results exist. The longest comes first. `folder` is this package's. */
export function pushTime(folder: string): PushTime {
  const cases = ["unit", "scenario"].flatMap((project) =>
    casesOf(path.join(folder, `../../.turbo/results/daemon-${project}.json`), folder),
  );
  const sum = (of: typeof cases): number => of.reduce((all, { tookMs }) => all + tookMs, 0) / 1_000;
  const rows = matrix.map((row) => ({ row: row.row, seconds: sum(cases.filter((each) => isOf(row, each))) }));
  return {
    seconds: sum(cases.filter((each) => matrix.some((row) => isOf(row, each)))),
    ran: rows.filter(({ seconds }) => seconds > 0).length,
    longest: rows.sort((a, b) => b.seconds - a.seconds),
  };
}
