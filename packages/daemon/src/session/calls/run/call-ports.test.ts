import { code } from "@baton/core/mode/builtin/code";
import type { RuleSet } from "@baton/core/permission/judge";
import type { Effect, SourcedRule } from "@baton/core/protocol/rule";
import { expect, test } from "vitest";
import { callPorts } from "./call-ports.ts";

type State = Parameters<typeof callPorts>[1];
type Services = Parameters<typeof callPorts>[2];
type Options = Parameters<Services["tools"]["ports"]>[0];

type Limit = readonly [action: string, resource: string, effect: Effect];

const rule = ([action, resource, effect]: Limit): SourcedRule => ({ action, resource, effect, layer: "user", source: "test" });

/** Returns the limits of a call of a tool, under rules that allow everything else. `answered`: the rule by which it asked. */
function limitsOf(tool: string, limits: readonly Limit[], answered?: Limit): Options {
  const user = [rule(["*", "*", "allow"]), ...limits.map(rule)];
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
  const access = answered && { action: "fetch", resource: "https://a.example/", effect: "ask" as const, rule: rule(answered) };
  const verdict = access && { effect: "ask" as const, rule: access.rule, accesses: [access], why: "" };
  callPorts(verdict, state, services, undefined, tool);
  if (!options) throw new Error("no ports were opened");
  return options;
}

/** Returns whether a call of a tool may show a file. */
const mayShow = (tool: string, file: string, ...limits: Limit[]): boolean => limitsOf(tool, limits).mayRead(file, () => undefined);

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

test("a redirect follows the rules of the tool, and a rule that asks about its target only if the user has answered that rule", () => {
  const target = "https://b.example/x";
  expect(limitsOf("fetch_url", []).mayFetch(target)).toBe("allow");
  expect(limitsOf("fetch_url", [["fetch_url", "https://b.example/*", "deny"]]).mayFetch(target)).toBe("deny");
  const asks: Limit = ["fetch", "https://b.example/*", "ask"];
  expect(limitsOf("fetch_url", [asks]).mayFetch(target)).toBe("deny");
  expect(limitsOf("fetch_url", [asks], asks).mayFetch(target)).toBe("ask");
  expect(limitsOf("fetch_url", [["fetch", "*", "ask"]]).mayFetch(target)).toBe("ask");
});
