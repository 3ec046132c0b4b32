import { expect, test } from "vitest";
import { defaultAvailability, withheldReason, type ToolAvailability } from "./tool-availability.ts";

test.each<[string, Partial<ToolAvailability>, string | undefined]>([
  ["update_todo_list", {}, undefined],
  ["update_todo_list", { todoList: false }, "the setting todoList is off"],
  ["run_slash_command", {}, "the experiment runSlashCommand is off"],
  ["run_slash_command", { experiments: { runSlashCommand: true } }, undefined],
  ["run_slash_command", { experiments: { enableExperimentalFeatures: true } }, "the experiment runSlashCommand is off"],
  ["skill", {}, undefined],
  ["skill", { skills: false }, "there are no skills here"],
  ["write_file", { disabledTools: ["write_to_file"] }, "disabledTools names it as write_to_file"],
  ["write_file", { disabledTools: ["write_file"] }, "disabledTools names it"],
  ["read_file", { disabledTools: ["write_file"] }, undefined],
  ["apply_patch", {}, undefined],
  ["apply_patch", { model: "local/qwen" }, undefined],
  ["apply_patch", { model: "anthropic/claude-x" }, "anthropic/claude-x does not get it: it is trained on edit_file"],
  ["edit_file", { model: "openai/gpt-5-mini" }, "openai/gpt-5-mini does not get it: it is trained on apply_patch"],
  ["apply_patch", { model: "openai/gpt-5-mini" }, undefined],
])("%s in %j: %s", (tool, situation, reason) => expect(withheldReason(tool, { ...defaultAvailability, ...situation })).toBe(reason));
