import path from "node:path";
import { fileURLToPath } from "node:url";
import { matrix } from "./matrix.ts";
import { casesOf, isOf } from "./results.ts";

/** Says what the rows of the fault matrix took in the last `npm test`, of whose results it reads what is there: together, and the longest. */
const folder = fileURLToPath(new URL("../../", import.meta.url));
const cases = ["unit", "scenario"].flatMap((project) => casesOf(path.join(folder, `../../.turbo/results/daemon-${project}.json`), folder));

const SHOWN = 6;
/** All rows together, on every push. */
const MOST_S = 300;

const seconds = (of: typeof cases): number => of.reduce((sum, { tookMs }) => sum + tookMs, 0) / 1_000;
const rows = matrix
  .map((row) => ({ row: row.row, took: seconds(cases.filter((each) => isOf(row, each))) }))
  .sort((a, b) => b.took - a.took);
const all = seconds(cases.filter((each) => matrix.some((row) => isOf(row, each))));

console.log(
  `the ${rows.filter(({ took }) => took > 0).length} of ${matrix.length} rows of the fault matrix that ran took ${all.toFixed(0)} s of at most ${MOST_S}; the longest: ${rows
    .slice(0, SHOWN)
    .map(({ row, took }) => `${row} (${took.toFixed(0)} s)`)
    .join(", ")}`,
);
