import { expect, test } from "vitest";
import { foreignCall, ownInput } from "./tool-names.ts";

test.each([
  ["run_command", { command: "ls", timeout_ms: 5000, background: true }, "Bash", { command: "ls", timeout: 5000, run_in_background: true }],
  ["skill", { name: "tidy" }, "Skill", { skill: "tidy" }],
  ["new_task", { mode: "reviewer", message: "Review it." }, "Task", { subagent_type: "reviewer", prompt: "Review it." }],
  ["edit_file", { path: "a", old_text: "x", new_text: "y" }, "Edit", { file_path: "/w/a", old_string: "x", new_string: "y" }],
  ["files__ping", { path: "a" }, "mcp__files__ping", { path: "a" }],
])("a hook reads %s with the arguments of Claude Code, and may return them", (tool, own, name, foreign) => {
  expect(foreignCall(tool, own, "/w", "claude")).toEqual({ name, input: foreign });
  expect(ownInput(tool, foreign, "/w")).toEqual(own);
});
