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
