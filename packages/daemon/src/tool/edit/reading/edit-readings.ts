import { readWithoutBlankLinesAround } from "./blank-lines.ts";
import { readInsideFence } from "./code-fence.ts";
import { readWithoutDiffMarks } from "./diff-marks.ts";
import { readUnescaped, readWithoutEntities } from "./escapes.ts";
import { readWithoutLineNumbers } from "./line-numbers.ts";
import type { EditReading } from "./reading-types.ts";

/** All readings besides the call as it was sent. */
export const editReadings: readonly EditReading[] = [
  readWithoutLineNumbers,
  readInsideFence,
  readUnescaped,
  readWithoutEntities,
  readWithoutDiffMarks,
  readWithoutBlankLinesAround,
];
