import { expect, test } from "vitest";
import { resolveById } from "./find-by-id.ts";

const known = [{ id: "abc1" }, { id: "abc12" }, { id: "abd" }];
const sought = { one: "grant", where: "`baton permissions grants` lists them." };
const found = (named: string) => resolveById(named, known, sought).id;

test("an id can be shortened to a prefix that only one session has", () => {
  expect([found("abc1"), found("abc12"), found("abd")]).toEqual(["abc1", "abc12", "abd"]);
  expect(() => found("abc")).toThrow("More than one grant begins with abc: abc1, abc12. Give more of the id.");
  expect(() => found("ab")).toThrow("There is no grant ab. `baton permissions grants` lists them.");
});
