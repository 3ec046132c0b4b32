import { settleOutput } from "@baton/core/text/sanitize";
import { formatCount } from "@baton/core/text/format";

/** A longer line is cut, except in approvals, because it would block the page. */
const LONGEST = 4_000;

export const truncateLine = (line: string): string =>
  line.length > LONGEST ? `${line.slice(0, LONGEST)} … (${formatCount(line.length - LONGEST, "more character")})` : line;

export const truncateLines = (text: string): string => text.split("\n").map(truncateLine).join("\n");

/** Lines of program output, as a terminal would show them. */
export const outputLines = (text: string): string[] =>
  text === "" ? [] : settleOutput(text).replace(/\n+$/, "").split("\n").map(truncateLine);

/** The last non-empty line of a running command. */
export const lastLine = (text: string): string =>
  outputLines(text.slice(-4096))
    .findLast((line) => line.trim() !== "")
    ?.trim() ?? "";
