import { code } from "@baton/core/mode/builtin/code";
import type { RuleSet } from "@baton/core/permission/judge";
import type { Effect, SourcedRule } from "@baton/core/protocol/rule";
import { expect, test } from "vitest";
import { callPorts } from "./call-ports.ts";

type State = Parameters<typeof callPorts>[1];
type Services = Parameters<typeof callPorts>[2];
type Options = Parameters<Services["tools"]["ports"]>[0];

/** Returns whether a call of a tool may show a file. */
function mayShow(tool: string, file: string, ...limits: (readonly [action: string, resource: string, effect: Effect])[]): boolean {
  const all: [string, string, Effect] = ["*", "*", "allow"];
  const user = [all, ...limits].map(([action, resource, effect]): SourcedRule => ({
    action,
    resource,
    effect,
    layer: "user",
    source: "test",
  }));
  const rules: RuleSet = { rules: user, ceilings: [], workspace: "/work" };
  let options: Options | undefined;
  const services = {
    modes: () => ({ get: () => code }),
    permissions: { rules: () => rules },
    tools: {
      ports: (each: Options) => {
        options = each;
        return {};
      },
    },
  } as unknown as Services;
  const state = { mode: code.slug, workspace: "/work", grants: [], ceilings: [], roots: [], returnPoints: [] } as unknown as State;
  callPorts(undefined, state, services, undefined, tool);
  return options?.mayRead(file, () => undefined) === true;
}

test("the results of a tool show no file that rules deny to that tool or outside of the workspace", () => {
  expect(mayShow("search_text", "secrets/a")).toBe(true);
  expect(mayShow("search_text", "secrets/a", ["read", "secrets/**", "ask"])).toBe(false);
  expect(mayShow("search_text", "secrets/a", ["search_text", "secrets/**", "deny"])).toBe(false);
  expect(mayShow("glob", "secrets/a", ["search_text", "secrets/**", "deny"])).toBe(true);
  expect(mayShow("search_text", "/out/private/a", ["external_directory", "/out/private", "deny"])).toBe(false);
});

test("a call that the user has approved shows its results", () => {
  expect(mayShow("search_text", "src/a", ["search_text", "*", "ask"])).toBe(true);
  expect(mayShow("search_text", "/out/a", ["external_directory", "*", "ask"])).toBe(true);
});
