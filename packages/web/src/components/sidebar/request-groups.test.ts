import { CallId, RequestId, SessionId } from "@baton/core/protocol/ids";
import type { InboxItem } from "@baton/core/protocol/request";
import { expect, test } from "vitest";
import { groupAlike } from "./request-groups.ts";

const item = (id: string, command: string, more: Partial<InboxItem> = {}): InboxItem => ({
  id: RequestId.parse(`${id}-s1.1`),
  kind: "approval",
  subject: { call: CallId.parse("s1.1") },
  tool: "run_command",
  header: "Run this command?",
  text: `run ${command}`,
  view: { type: "command", command, cwd: `/${id}` },
  choices: [
    { id: "once", label: "Allow once" },
    { id: "deny", label: "Deny" },
  ],
  freeText: false,
  openedAt: 0,
  sessionId: SessionId.parse(id),
  rootSessionId: SessionId.parse(id),
  mode: "code",
  workspace: `/${id}`,
  title: id,
  ...more,
});
const shape = (items: readonly InboxItem[]) => groupAlike(items).map((group) => group.items.map(({ sessionId }) => sessionId));

test("the same command in several folders is one group, at the position of its oldest request", () => {
  expect(shape([item("a", "npm test"), item("b", "ls"), item("c", "npm test")])).toEqual([["a", "c"], ["b"]]);
});

test("another action, other choices and questions are never grouped", () => {
  const choices = [{ id: "once", label: "Allow once" }];
  expect(shape([item("a", "ls"), item("b", "ls -l"), item("c", "ls", { choices })])).toEqual([["a"], ["b"], ["c"]]);
  const question = { kind: "question", text: "Which?" } as const;
  expect(shape([item("a", "ls", question), item("b", "ls", question)])).toEqual([["a"], ["b"]]);
});
