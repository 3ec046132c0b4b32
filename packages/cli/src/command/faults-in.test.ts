import { Answer } from "@baton/core/protocol/request";
import { expect, test } from "vitest";
import { faultOf, faultsIn } from "./faults-in.ts";

const told = (rule: unknown) => {
  const { error } = Answer.shape.rule.safeParse(rule);
  return error && faultsIn(error, rule);
};

test("what does not fit is told by its name and what is wanted there", () => {
  expect(told({ action: "command" })).toBe("resource is missing, effect is missing");
  expect(told({ action: "", resource: 3, effect: "no" })).toBe(
    'action is empty, resource: it has none of the forms that it can have, effect: expected one of "allow"|"ask"|"deny"',
  );
  expect(told("all")).toBe("expected object, received string");
});

test("a fault that comes from the daemon is told as well, and a sentence of ours stays one", () => {
  expect(faultOf({ path: ["wish", "title"], message: "Invalid input: expected string, received undefined" })).toBe("wish.title is missing");
  expect(faultOf({ path: ["name"], message: "a server's name is made of letters" })).toBe("a server's name is made of letters");
});
