import { expect, test } from "vitest";
import { formatBytes } from "./format-bytes.ts";

test("sizes have a unit and at most one digit after the point", () => {
  expect([0, 999, 1_000, 1_234_567, 512_000_000, 3_400_000_000_000].map(formatBytes)).toEqual([
    "0 B",
    "999 B",
    "1.0 kB",
    "1.2 MB",
    "512 MB",
    "3.4 TB",
  ]);
});
