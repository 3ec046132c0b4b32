import type { Group } from "@baton/core/protocol/mode";
import { expect, test } from "vitest";
import type { ModeTools } from "../../store/data/daemon-data.ts";
import { modeCapabilities } from "./mode-capabilities.tsx";

type Offered = ModeTools["offered"][number];

const tool = (group: NonNullable<Offered["group"]>, effect: Offered["effect"]): Offered => ({
  name: group,
  group,
  effect,
  rule: null,
  only: null,
  freeInSandbox: false,
  hints: { readOnly: false },
});

test("a group asks if one of its tools asks, and shows the limits of the mode", () => {
  const offered = [tool("read", "allow"), tool("edit", "allow"), tool("command", "ask"), tool("command", "allow")];
  expect(modeCapabilities({ offered: [tool("edit", "deny")], withheld: [] })).toEqual([
    { group: "edit", may: "no", about: "denied by rules" },
  ]);
  const withheld: ModeTools["withheld"] = [{ name: "x", group: "plan", reason: "not in this mode" }];
  const groups: Group[] = [
    { name: "edit", fileRegex: "\\.md$" },
    { name: "command", reading: true },
  ];
  const grants = [{ rule: { action: "command" } }];
  expect(modeCapabilities({ offered, withheld }, grants, groups).map(({ group, may, about }) => `${group} ${may}: ${about}`)).toEqual([
    "read yes: in the workspace",
    "edit yes: only \\.md$",
    "command asks: asks, 1 grant, read-only commands",
    "plan no: not in this mode",
  ]);
});

test("commands that stay in the sandbox do not ask", () => {
  const offered = [{ ...tool("command", "ask"), freeInSandbox: true }];
  expect(modeCapabilities({ offered, withheld: [] })).toEqual([{ group: "command", may: "asks", about: "asks outside of the sandbox" }]);
});

test("typing into commands asks apart from running them", () => {
  const typing: Offered = { ...tool("command", "ask"), name: "write_to_command" };
  const about = (effect: Offered["effect"]) => modeCapabilities({ offered: [tool("command", effect), typing], withheld: [] });
  expect(about("allow")).toEqual([{ group: "command", may: "yes", about: "allowed, typing asks" }]);
  expect(about("ask")).toEqual([{ group: "command", may: "asks", about: "asks" }]);
});

test("a group without a rule that asks is allowed, and a group with paths is allowed in the workspace", () => {
  const offered = (["read", "edit", "command", "browser", "orchestrate"] as const).map((group) => tool(group, "allow"));
  expect(modeCapabilities({ offered, withheld: [] }).map(({ group, about }) => `${group}: ${about}`)).toEqual([
    "read: in the workspace",
    "edit: in the workspace",
    "command: allowed",
    "browser: allowed",
    "orchestrate: allowed",
  ]);
});
