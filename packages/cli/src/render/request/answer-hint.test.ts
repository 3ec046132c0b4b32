import { expect, test } from "vitest";
import { answerLines } from "./answer-hint.ts";
import { approval, question } from "../../../test/support/render-fixtures.ts";

test("a request names the command that answers it and the other possible answers", () => {
  expect(answerLines({ ...approval, choices: approval.choices.slice(0, 2) }).join("\n")).toBe(
    `The request stays open. Answer it from any terminal (or with ${approval.choices[1]?.id}):\n  baton answer ${approval.id} once`,
  );
  expect(answerLines({ ...question, choices: [] }).at(-1)).toBe(`  baton answer ${question.id} --text "..."`);
  const form = {
    ...question,
    kind: "form" as const,
    choices: [{ id: "accept", label: "Send" }],
    fields: { type: "object", properties: { name: {}, "it's": {} }, required: ["name"] },
  };
  expect(answerLines(form).at(-1)).toBe(`  baton answer ${question.id} accept --fields '{"name":"...","it'\\''s":"..."}'`);
});
