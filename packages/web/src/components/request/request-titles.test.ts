import { CallId } from "@baton/core/protocol/ids";
import type { Request } from "@baton/core/protocol/request";
import { expect, test } from "vitest";
import { orderedChoices, plainTitle, requestHeadline } from "./request-titles.ts";

const approval = (tool: string, text: string, more: Partial<Request> = {}) => ({
  kind: "approval" as const,
  subject: { call: CallId.parse("s1.1") },
  header: `Allow ${tool}?`,
  tool,
  text,
  choices: [],
  ...more,
});
const diff = (change: "create" | "change" | "delete"): Request["view"] => ({
  type: "diff",
  path: "a",
  change,
  added: 0,
  removed: 0,
  hunks: [],
});

test("the headline describes the action", () => {
  expect(requestHeadline(approval("run_command", "run npm test"))).toBe("Run npm test?");
  expect(requestHeadline(approval("delete_file", "delete data.bin"))).toBe("Delete data.bin?");
  expect(requestHeadline(approval("write_file", "write a.ts", { view: diff("create") }))).toBe("Create a.ts?");
  expect(requestHeadline(approval("write_file", "write a.ts", { view: diff("change") }))).toBe("Edit a.ts?");
  expect(requestHeadline(approval("github__create_issue", "github create issue"))).toBe("Call create_issue of github?");
});

test("a long or unknown action has a general headline", () => {
  expect(requestHeadline(approval("run_command", `run ${"echo ".repeat(30)}`, { header: "Run this command?" }))).toBe("Run this command?");
  expect(requestHeadline(approval("new_task", "delegate it"))).toBe("Allow new_task?");
});

test("the deny button has the same position whether or not the answer can be remembered", () => {
  const choices = [
    { id: "once", label: "Allow once" },
    { id: "deny", label: "Deny" },
  ];
  const ordered = orderedChoices(approval("run_command", "run it", { choices }));
  expect(ordered.map(({ choice, offered }) => [choice.id, offered])).toEqual([
    ["once", true],
    ["session", false],
    ["workspace", false],
    ["deny", true],
  ]);
  const own = [{ id: "a", label: "A" }];
  expect(orderedChoices({ ...approval("ask", "x"), kind: "question", choices: own }).map(({ choice }) => choice.id)).toEqual(["a"]);
});

test("a question in one line has no marks of its Markdown, and the header of an approval stays as it is", () => {
  const question = { kind: "question" as const, header: "", text: "Which **database**, `a` or b?", subject: { turn: 1 } };
  expect(plainTitle(question)).toBe("Which database, a or b?");
  expect(plainTitle({ ...question, kind: "approval", header: "Call `a`?" })).toBe("Call `a`?");
});
