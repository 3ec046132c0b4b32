import { fileURLToPath } from "node:url";
import { matrix } from "./matrix.ts";
import { MAX_SECONDS, pushTime } from "./push-time.ts";

/** Prints how long the rows of the fault matrix took in the last `npm test`: the sum, and the longest of them. */
const { seconds, ran, longest } = pushTime(fileURLToPath(new URL("../..", import.meta.url)));
const named = longest.slice(0, 6).map((each) => `${each.row} (${each.seconds.toFixed(0)} s)`);

console.log(
  `${ran} of ${matrix.length} rows of the fault matrix took ${seconds.toFixed(0)} s of at most ${MAX_SECONDS}; the longest: ${named.join(", ")}`,
);
