import { appendFileSync } from "node:fs";

/** What was tried of one row of the fault matrix: how often, and how often a promise did not hold. */
export type Tried = { row: string; tried: number; lost: number };

/** Says what was tried; where a run collects it for the table, it is written to that file too. */
export function record(tried: Tried): void {
  console.log(`row ${tried.row}: ${tried.tried} tried, ${tried.lost} lost`);
  const file = process.env["BATON_TRIED"];
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(tried)}\n`);
}
