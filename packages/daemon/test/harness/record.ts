import { appendFileSync } from "node:fs";

/** The counts of one row of the fault matrix: the attempts, and the attempts in which a promise did not hold. */
export type Tried = { row: string; tried: number; lost: number };

/** Prints the counts. If a run collects them for the table, they are also written to its file. */
export function record(tried: Tried): void {
  console.log(`row ${tried.row}: ${tried.tried} tried, ${tried.lost} lost`);
  const file = process.env["BATON_TRIED"];
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(tried)}\n`);
}
