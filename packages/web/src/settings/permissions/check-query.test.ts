import { expect, test } from "vitest";
import { toCheckQuery } from "./check-query.ts";

test("a query uses the access as typed, and nothing is sent while the field is empty", () => {
  expect(toCheckQuery({ action: "command", text: " git push ", tool: "" }, "/w", "code")).toEqual({
    action: "command",
    resource: "git push",
    cwd: "/w",
    mode: "code",
  });
  expect(toCheckQuery({ action: "command", text: " ", tool: "read_file" }, "/w", "code")).toBeUndefined();
});

test("a call has its tool's name and an input that is JSON, or no input", () => {
  const asked = (text: string, tool = "read_file") => toCheckQuery({ action: "tool", text, tool }, "/w", "code");
  expect(asked('{"path":"a"}')).toEqual({ tool: "read_file", input: { path: "a" }, cwd: "/w", mode: "code" });
  expect(asked("")).toEqual({ tool: "read_file", input: {}, cwd: "/w", mode: "code" });
  expect(asked("{")).toEqual({ error: "The input is not JSON." });
  expect(asked("{}", "")).toBeUndefined();
});
