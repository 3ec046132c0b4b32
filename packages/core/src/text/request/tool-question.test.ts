import { expect, test } from "vitest";
import { toolQuestion } from "./tool-question.ts";

test("the tool of a server is named with its server", () => {
  expect(toolQuestion("notes__add")).toBe("Call add of notes?");
  expect(toolQuestion("notes__add__all")).toBe("Call add__all of notes?");
  expect(toolQuestion("build-toolset")).toBe("Allow build-toolset?");
});
