import { InvalidArgumentError } from "commander";

/** Parses an option that takes a positive integer. */
export function parsePositiveInteger(text: string): number {
  const n = Number(text);
  if (!Number.isInteger(n) || n < 1) throw new InvalidArgumentError("It must be an integer of at least 1.");
  return n;
}
