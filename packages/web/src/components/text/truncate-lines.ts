import { settleOutput } from "@baton/core/text/sanitize";
import { formatCount } from "@baton/core/text/format";

/** A line longer than this is cut where nobody has to approve it: nothing is read in it, and it would hold up the page. */
const LONGEST = 4_000;

export const truncateLine = (line: string): string =>
  line.length > LONGEST ? `${line.slice(0, LONGEST)} … (${formatCount(line.length - LONGEST, "more character")})` : line;

export const truncateLines = (text: string): string => text.split("\n").map(truncateLine).join("\n");

/** Lines of a program's output as a terminal would leave them. */
export const outputLines = (text: string): string[] =>
  text === "" ? [] : settleOutput(text).replace(/\n+$/, "").split("\n").map(truncateLine);

/** The last line that says something: what a running command shows of itself. */
export const lastLine = (text: string): string =>
  outputLines(text.slice(-4096))
    .findLast((line) => line.trim() !== "")
    ?.trim() ?? "";
