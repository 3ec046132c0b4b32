import { expect, test } from "vitest";
import { mayOf } from "./may.tsx";

const tool = (group: string, effect: "allow" | "ask") => ({ name: group, group, effect, rule: null, hints: { readOnly: false } }) as const;

test("a group asks when one of its tools asks, and says what the mode limits it to", () => {
  const offered = [tool("read", "allow"), tool("edit", "allow"), tool("command", "ask"), tool("command", "allow")] as never;
  const withheld = [{ name: "x", group: "plan", reason: "not in this mode" }] as never;
  const groups = [
    { name: "edit" as const, only: ["*.md"] },
    { name: "command" as const, reading: true },
  ];
  const grants = [{ rule: { action: "command" } }];
  expect(mayOf({ offered, withheld }, grants, groups).map(({ group, may, about }) => `${group} ${may}: ${about}`)).toEqual([
    "read yes: in the workspace",
    "edit yes: only *.md",
    "command asks: asks, 1 grant, what only reads",
    "plan no: not in this mode",
  ]);
});
