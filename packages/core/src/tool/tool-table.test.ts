import { expect, test } from "vitest";
import { toolsetToolDefinitions, toolsetTools } from "../toolset/toolset-inputs.ts";
import {
  actionTable,
  canonicalToolName,
  actionsForAgentTool,
  readOnlyActions,
  toolCalledAs,
  toolFields,
  toolKind,
  toolTable,
} from "./tool-table.ts";

test("names are unique, and no alias is the name of a tool", () => {
  const names = [...actionTable, ...toolTable].map(({ name }) => name);
  const toolNames = toolTable.map(({ name }) => name);
  const aliases = toolTable.flatMap(({ aliases: each = [] }) => each);
  expect(new Set(toolNames).size).toBe(toolNames.length);
  expect(new Set([...toolNames, ...aliases]).size).toBe(toolNames.length + aliases.length);
  expect(toolTable.filter(({ action }) => !names.includes(action))).toEqual([]);
});

test("a name from another agent means one tool, and is not the name of another tool of Baton", () => {
  const called = toolTable.flatMap(({ calledAs = [] }) => calledAs);
  const plain = (name: string) => name.replaceAll(/[_-]/g, "");
  const taken = toolTable.flatMap(({ name, calledAs = [] }) =>
    toolTable.filter(
      (other) => other.name !== name && [other.name, ...(other.aliases ?? [])].some((each) => calledAs.includes(plain(each))),
    ),
  );
  expect(new Set(called).size).toBe(called.length);
  expect(taken).toEqual([]);
  expect([toolCalledAs("Bash"), toolCalledAs("container.exec"), toolCalledAs("fly")]).toEqual(["run_command", "run_command", undefined]);
});

test("a tool belongs to the group of its action", () => {
  for (const { name, group, action } of toolTable)
    expect([name, group]).toEqual([name, actionTable.find((each) => each.name === action)?.group]);
});

test("the toolset tools that only read are safe to repeat", () => {
  for (const name of toolsetTools)
    expect([name, toolFields(name).replay === "safe"]).toEqual([name, toolsetToolDefinitions[name].hints.readOnly]);
});

test("names from other agents lead to Baton's tools", () => {
  expect(canonicalToolName("apply_diff")).toBe("edit_file");
  expect(canonicalToolName("files__read")).toBe("files__read");
  expect(actionsForAgentTool("claude", "Glob")).toEqual(["list_files", "glob"]);
  expect(actionsForAgentTool("opencode", "write")).toEqual(["edit"]);
  expect(actionsForAgentTool("claude", "WebSearch")).toEqual(["web_search"]);
  expect([toolKind("move_file"), toolKind("files__read")]).toEqual(["move", "other"]);
});

test("these actions change nothing", () => {
  expect([...readOnlyActions].toSorted()).toEqual(
    ["external_directory", "loop_guard", "new_task", "question", "read", "run_slash_command", "session", "skill"].toSorted(),
  );
});
