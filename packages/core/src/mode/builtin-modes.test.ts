import { expect, test } from "vitest";
import { Mode } from "../protocol/mode.ts";
import { builtinModes } from "./builtin-modes.ts";

test.each(builtinModes.map((mode) => [mode.slug, mode] as const))("the built-in mode %s fits the schema of modes from files", (_, mode) => {
  expect(Mode.parse(mode)).toEqual(mode);
});

test("every built-in mode has a unique name", () => expect(new Set(builtinModes.map(({ slug }) => slug)).size).toBe(builtinModes.length));
