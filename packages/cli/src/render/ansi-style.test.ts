import { expect, test } from "vitest";
import { ATTENTION, HUES } from "./ansi-style.ts";

const LEVELS = [0, 95, 135, 175, 215, 255];

/** The relative luminance of a color of the cube with 6 levels per channel, which begins at 16. */
function luminance(color: number): number {
  const at = color - 16;
  const [red = 0, green = 0, blue = 0] = [Math.floor(at / 36), Math.floor(at / 6) % 6, at % 6].map((level) => {
    const value = (LEVELS[level] ?? 0) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

test("the colors of modes and of attention can be read on black and on white", () => {
  const faint = [...Object.entries(HUES).map(([name, { rich }]) => [name, rich] as const), ["attention", ATTENTION] as const].filter(
    ([, color]) => Math.min(1.05 / (luminance(color) + 0.05), (luminance(color) + 0.05) / 0.05) < 3.5,
  );
  expect(faint).toEqual([]);
});
