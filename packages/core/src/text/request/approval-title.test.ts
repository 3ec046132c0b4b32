import { expect, test } from "vitest";
import { approvalTitle } from "./approval-title.ts";

test("the tool of a server is named with its server", () => {
  expect(approvalTitle("notes__add")).toBe("Call add of notes?");
  expect(approvalTitle("notes__add__all")).toBe("Call add__all of notes?");
  expect(approvalTitle("build-toolset")).toBe("Allow build-toolset?");
});
