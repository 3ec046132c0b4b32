import { InvalidArgumentError } from "commander";

/** A whole number from 1, as an option takes it. */
export function parsePositiveInteger(text: string): number {
  const n = Number(text);
  if (!Number.isInteger(n) || n < 1) throw new InvalidArgumentError("It has to be a whole number from 1.");
  return n;
}
