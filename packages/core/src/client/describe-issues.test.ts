import { RequestAnswer } from "../protocol/request.ts";
import { expect, test } from "vitest";
import { describeIssue, describeIssues } from "./describe-issues.ts";

const problems = (rule: unknown) => {
  const { error } = RequestAnswer.shape.rule.safeParse(rule);
  return error && describeIssues(error, rule);
};

test("a problem names the field and the expected value", () => {
  expect(problems({ action: "command" })).toBe("resource is missing, effect is missing");
  expect(problems({ action: "", resource: 3, effect: "no" })).toBe(
    'action is empty, resource: it matches none of the allowed forms, effect: expected one of "allow"|"ask"|"deny"',
  );
  expect(problems("all")).toBe("expected object, received string");
});

test("a message of Baton's own schemas stays as it is", () => {
  const message = "a server's name is made of letters";
  expect(describeIssue({ path: ["name"], message }, { name: "?" })).toBe(message);
});
