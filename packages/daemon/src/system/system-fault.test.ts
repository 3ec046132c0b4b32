import { expect, test } from "vitest";
import { toSystemFault } from "./system-fault.ts";

test("the error about a full disk says whether the file changed, and what to do", () => {
  const error = Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC" });
  expect(toSystemFault(error, "a.ts")).toEqual({
    fault: "disk_full",
    message: "The disk is full, so a.ts was not changed. Free some space, then try again.",
  });
});

test("a defect is not an expected failure", () => {
  expect(() => toSystemFault(new TypeError("x is not a function"), "a.ts")).toThrow("x is not a function");
});
