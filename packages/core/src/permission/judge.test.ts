import { expect, test } from "vitest";
import type { SourcedRule, Resource } from "../protocol/rule.ts";
import { loadRegexEngine } from "../text/regex.ts";
import { fullyDenied, judge } from "./judge.ts";

const rule = (effect: SourcedRule["effect"], action: string, resource: Resource, layer: SourcedRule["layer"] = "user"): SourcedRule => ({
  action,
  resource,
  effect,
  layer,
  source: "test",
});
const effect = (rules: SourcedRule[], ceilings: SourcedRule[], ...accesses: [string, string][]) =>
  judge(
    { rules, ceilings: [ceilings] },
    "tool",
    accesses.map(([action, resource]) => ({ action, resource })),
  ).effect;

test("a call without a matching rule asks, and so does a call that declares no access", () => {
  expect(effect([], [], ["edit", "a"])).toBe("ask");
  expect(effect([rule("allow", "*", "*")], [])).toBe("ask");
});

test("the last matching rule wins", () => {
  expect(effect([rule("deny", "edit", "*"), rule("allow", "edit", "docs/*")], [], ["edit", "docs/a.md"])).toBe("allow");
  expect(effect([rule("allow", "edit", "docs/*"), rule("deny", "edit", "*")], [], ["edit", "docs/a.md"])).toBe("deny");
});

test("the strictest access decides for the call", () => {
  const rules = [rule("allow", "*", "*"), rule("ask", "read", "b"), rule("deny", "read", "c")];
  expect(effect(rules, [], ["read", "a"], ["read", "b"])).toBe("ask");
  expect(effect(rules, [], ["read", "b"], ["read", "c"], ["read", "a"])).toBe("deny");
});

test("a ceiling is final, and cannot widen", () => {
  expect(effect([rule("allow", "*", "*", "session")], [rule("deny", "edit", "*", "ceiling")], ["edit", "a"])).toBe("deny");
  expect(
    effect([rule("ask", "edit", "*")], [rule("deny", "edit", "*", "ceiling"), rule("allow", "edit", "*.md", "ceiling")], ["edit", "a.md"]),
  ).toBe("ask");
});

test("a rule may name the tool instead of the action", () =>
  expect(effect([rule("allow", "*", "*"), rule("deny", "tool", "*")], [], ["read", "a"])).toBe("deny"));

test("a demand of a gate overrides wildcards, but not a grant for exactly this text", () => {
  const floor = rule("ask", "command", "*", "gate");
  const access = [{ action: "command", resource: "a && b", floor }];
  expect(judge({ rules: [rule("allow", "command", "*")], ceilings: [] }, "run", access)).toMatchObject({ effect: "ask", rule: floor });
  expect(judge({ rules: [rule("allow", "command", { exact: "a && b" })], ceilings: [] }, "run", access).effect).toBe("allow");
  const accesses = [{ action: "edit", resource: "a", floor, gateRule: rule("allow", "edit", "a", "defaults") }];
  expect(judge({ rules: [], ceilings: [] }, "run", accesses).effect).toBe("ask");
});

test("no rule answers a request that a gate always makes, and its denials are final", () => {
  const floor: SourcedRule = { ...rule("ask", "edit", "a", "gate"), once: true };
  const rules = [rule("allow", "*", "*"), rule("allow", "edit", { exact: "a" }, "session")];
  expect(judge({ rules, ceilings: [] }, "tool", [{ action: "edit", resource: "a", floor }])).toMatchObject({ effect: "ask", rule: floor });
  expect(judge({ rules: [rule("deny", "edit", "a")], ceilings: [] }, "tool", [{ action: "edit", resource: "a", floor }]).effect).toBe(
    "deny",
  );
});

test("an allow of a gate overrides the defaults and nothing else", () => {
  const access = [{ action: "command", resource: "ls", gateRule: rule("allow", "command", "ls", "gate") }];
  const effectWith = (...rules: SourcedRule[]) => judge({ rules, ceilings: [] }, "run", access).effect;
  expect(effectWith()).toBe("allow");
  expect(effectWith(rule("ask", "*", "*", "defaults"))).toBe("allow");
  expect(effectWith(rule("ask", "*", "*"))).toBe("ask");
  expect(effectWith(rule("deny", "command", "ls *", "mode"))).toBe("deny");
});

test("another spelling of the same resource can only make the verdict stricter", () => {
  const access = [{ action: "command", resource: "/bin/rm a", also: ["rm a"] }];
  const effectWith = (rules: SourcedRule[], ceilings: SourcedRule[] = []) => judge({ rules, ceilings: [ceilings] }, "run", access).effect;
  expect(effectWith([rule("allow", "command", "/bin/rm *")])).toBe("allow");
  expect(effectWith([rule("allow", "command", "/bin/rm *"), rule("ask", "command", "rm *")])).toBe("ask");
  expect(effectWith([rule("allow", "command", "rm *")])).toBe("ask");
  expect(effectWith([rule("ask", "command", "*"), rule("allow", "command", "/bin/rm *")])).toBe("allow");
  expect(effectWith([rule("allow", "command", "*")], [rule("deny", "command", "rm *", "ceiling")])).toBe("deny");
  expect(effectWith([rule("allow", "command", "/bin/rm *"), rule("ask", "command", "rm *", "defaults")])).toBe("allow");
});

test("a grant for exactly the whole covers its parts, of any action, and nothing longer", () => {
  const within = { action: "command", resource: "a > b" };
  const parts = [
    { action: "command", resource: "a", within },
    { action: "edit", resource: "b", within, floor: rule("ask", "edit", "b", "gate") },
  ];
  const effectWith = (...rules: SourcedRule[]) => judge({ rules, ceilings: [] }, "run", parts).effect;
  expect(effectWith(rule("allow", "command", { exact: "a > b" }))).toBe("allow");
  expect(effectWith(rule("allow", "command", { exact: "a > b" }), rule("ask", "edit", "b", "session"))).toBe("ask");
  expect(effectWith(rule("allow", "command", "a > b"))).toBe("allow");
  expect(effectWith(rule("allow", "command", "a > *"))).toBe("ask");
  expect(effectWith(rule("allow", "command", { exact: "a > bc" }))).toBe("ask");
});

test("a ceiling may exempt read-only calls", () => {
  const ceilings: SourcedRule[] = [{ ...rule("deny", "command", "*", "ceiling"), unless: "reads" }];
  const rules = [rule("allow", "*", "*")];
  const effectOf = (reads: boolean) => judge({ rules, ceilings: [ceilings] }, "run", [{ action: "command", resource: "a", reads }]).effect;
  expect([effectOf(true), effectOf(false)]).toEqual(["allow", "deny"]);
});

test("while the rules cannot be read, calls that would ask are denied", () => {
  const broken = rule("deny", "*", "*", "ceiling");
  const rules = { rules: [rule("allow", "read", "*")], ceilings: [], insteadOfAsking: broken };
  expect(judge(rules, "t", [{ action: "edit", resource: "a" }])).toMatchObject({ effect: "deny", rule: broken });
  expect(judge(rules, "t", [{ action: "read", resource: "a" }]).effect).toBe("allow");
});

test("a tool is withheld if the last rule about it denies all of it", () => {
  const about = (rules: SourcedRule[], ceilings: SourcedRule[] = []) =>
    fullyDenied({ rules, ceilings: [ceilings] }, "edit", "write_file") !== undefined;
  expect(about([rule("deny", "edit", "*")])).toBe(true);
  expect(about([rule("deny", "edit", "*"), rule("allow", "edit", "*.md")])).toBe(false);
  expect(about([rule("allow", "*", "*")], [rule("deny", "edit", "*", "ceiling")])).toBe(true);
  expect(about([], [rule("deny", "edit", "*", "ceiling"), rule("allow", "edit", "*.md", "ceiling")])).toBe(false);
});

test("the verdict names the rule and gives the reason in one sentence", () =>
  expect(
    judge({ rules: [rule("ask", "command", "git push *")], ceilings: [] }, "run", [{ action: "command", resource: "git push origin" }]).why,
  ).toBe('command git push origin asks by command "git push *" (user, test).'));

test("a rule with an absolute path also applies to files of the workspace", async () => {
  await loadRegexEngine();
  const at = (resource: Resource, file: string, action = "read") =>
    judge({ rules: [rule("allow", "*", "*"), rule("deny", "*", resource)], ceilings: [], workspace: "/home/me/work" }, "tool", [
      { action, resource: file },
    ]).effect;
  for (const pattern of ["/home/me/*", "/home/*/work/a/*", { exact: "/home/me/work/a/b" }, { regex: "^/home/me/.*b$" }])
    expect([at(pattern, "a/b"), at(pattern, "/etc/passwd")]).toEqual(["deny", "allow"]);
  expect(at("/home/me/work", ".")).toBe("deny");
  expect(at("/home/me/*", "a/b", "command")).toBe("allow");
  expect(at("*home*", "a/b")).toBe("allow"); // the folders above are unknown
  expect(at({ regex: "home" }, "a/b")).toBe("allow");
});

test("a ceiling with an opening for an absolute path opens exactly that path", () => {
  const ceiling = [rule("deny", "edit", "*", "ceiling"), rule("allow", "edit", "/home/me/work/docs/*", "ceiling")];
  const ruleSet = { rules: [rule("allow", "*", "*")], ceilings: [ceiling], workspace: "/home/me/work" };
  const at = (file: string) => judge(ruleSet, "tool", [{ action: "edit", resource: file }]).effect;
  expect([at("docs/a"), at("src/a"), at("/home/me/work2/a")]).toEqual(["allow", "deny", "deny"]);
});

test("the rules that allow its edits also allow a command that only edits, unless a rule is about the command", () => {
  const command = { action: "command", resource: "cp a b", onlyEdits: true } as const;
  const edit = { action: "edit", resource: "b" };
  const defaults = rule("ask", "*", "*", "defaults");
  const of = (...rules: SourcedRule[]) => judge({ rules: [defaults, ...rules], ceilings: [] }, "run_command", [command, edit]).effect;
  expect(of()).toBe("ask");
  expect(of(rule("allow", "edit", "*"))).toBe("allow");
  expect(of(rule("allow", "edit", "c"))).toBe("ask");
  expect(of(rule("allow", "edit", "*"), rule("ask", "command", "cp *"))).toBe("ask");
  expect(of(rule("allow", "edit", "*"), rule("deny", "command", "cp *"))).toBe("deny");
  for (const layer of ["project", "managed", "ceiling"] as const) {
    const asking = { rules: [defaults, rule("allow", "edit", "*")], ceilings: [[rule("ask", "command", "cp *", layer)]] };
    expect(judge(asking, "run_command", [command, edit]).effect).toBe("ask");
  }
  const both = judge({ rules: [defaults, rule("allow", "edit", "b")], ceilings: [] }, "run_command", [
    command,
    edit,
    { ...edit, resource: "c" },
  ]);
  expect(both.effect).toBe("ask");
});

test("for a suspected access, denies of users and gates ask, and modes and defaults have no effect", () => {
  const suspected = { action: "edit", resource: "a", suspected: true } as const;
  const of = (...rules: SourcedRule[]) => judge({ rules, ceilings: [] }, "run_command", [suspected]).effect;
  expect(of()).toBe("allow");
  expect(of(rule("ask", "*", "*", "defaults"), rule("deny", "edit", "*", "mode"), rule("deny", "edit", "*", "ceiling"))).toBe("allow");
  expect(of(rule("deny", "edit", "*"))).toBe("allow");
  expect(of(rule("deny", "edit", "a"))).toBe("ask");
  expect(of(rule("ask", "edit", "a", "managed"))).toBe("ask");
  const floor = rule("ask", "edit", "*", "gate");
  expect(judge({ rules: [rule("allow", "*", "*")], ceilings: [] }, "run_command", [{ ...suspected, floor }]).effect).toBe("ask");
});

test("a floor about a verb is satisfied by a rule that names the verb, and not by a rule for the whole program", () => {
  const merge = { action: "command", resource: "gh pr merge 1", verb: "gh pr merge", floor: rule("ask", "command", "*", "gate") };
  const of = (resource: Resource) => judge({ rules: [rule("allow", "command", resource)], ceilings: [] }, "run_command", [merge]).effect;
  expect(["*", "gh *", "gh pr *", "gh pr m*", "*merge*"].map(of)).toEqual(["ask", "ask", "ask", "ask", "ask"]);
  expect(["gh pr merge *", "gh pr merge 1*", { exact: "gh pr merge 1" }].map(of)).toEqual(["allow", "allow", "allow"]);
});

test("a rule that limits one way to start a program limits the others, and a later rule takes that back for the call that it names", () => {
  const of = (text: string, ...rules: SourcedRule[]) => {
    const other = { words: ["prisma", ...text.split(" ").slice(2)], verbs: 1 };
    const calls = [{ words: text.split(" "), verbs: 1 }, ...(text.startsWith("npx prisma") ? [other] : [])];
    return judge({ rules: [rule("allow", "*", "*"), ...rules], ceilings: [] }, "tool", [{ action: "command", resource: text, calls }])
      .effect;
  };
  const limit = rule("ask", "command", "npx prisma*");
  expect([of("prisma generate", limit), of("npx prisma x", limit), of("prismatic", rule("ask", "command", "npx prisma *"))]).toEqual([
    "ask",
    "ask",
    "allow",
  ]);
  const opening = rule("allow", "command", "npx prisma generate*");
  expect([of("npx prisma generate", limit, opening), of("prisma generate", limit, opening)]).toEqual(["allow", "ask"]);
  const main = [rule("deny", "command", "git push origin main*"), rule("allow", "command", "git push origin main*")];
  expect([of("git push -u origin main", ...main), of("git push origin main", ...main)]).toEqual(["deny", "allow"]);
  const only = [rule("ask", "command", "*"), rule("allow", "command", "npx prisma*")];
  expect([of("npx prisma migrate", ...only), of("prisma migrate", ...only)]).toEqual(["allow", "ask"]);
  const script = (...rules: SourcedRule[]) => {
    const calls = [{ words: ["scripts/x.sh"], verbs: 0 }];
    const access = { action: "command", resource: "bash scripts/x.sh", calls };
    return judge({ rules: [rule("allow", "*", "*"), ...rules], ceilings: [] }, "tool", [access]).effect;
  };
  expect(script(rule("deny", "command", "scripts/x.sh*"), rule("allow", "command", "bash *"))).toBe("deny");
  for (const resource of ["bash scripts/x.sh*", "bash scripts/x.sh", { exact: "bash scripts/x.sh" }])
    expect(script(rule("ask", "command", "*scripts/x.sh*"), rule("allow", "command", resource))).toBe("allow");
  expect(of("./migrate down", rule("deny", "command", "*migrate *"), rule("allow", "command", "go run ./cmd/migrate*"))).toBe("deny");
});

test("a deny of a folder by its name holds for all that is in it", () => {
  const rules = [rule("allow", "*", "*"), rule("deny", "edit", "secrets")];
  expect(effect(rules, [], ["edit", "secrets/a/b"])).toBe("deny");
  expect(effect(rules, [], ["edit", "secrets.txt"])).toBe("allow");
  expect(effect([rule("ask", "*", "*"), rule("allow", "edit", "docs")], [], ["edit", "docs/a"])).toBe("ask");
});

test("a deny also holds for the name of a link, unless it is for everything", () => {
  const access = [{ action: "read", resource: "real/a", also: ["link/a"] }];
  const verdict = (pattern: string) =>
    judge({ rules: [rule("allow", "*", "*"), rule("deny", "read", pattern)], ceilings: [], workspace: "/w" }, "x", access);
  expect(["link/**", "/w/link/*", "real/**", "*nk/a"].map((pattern) => verdict(pattern).effect)).toEqual(["deny", "deny", "deny", "deny"]);
  expect(["other/**", "*"].map((pattern) => verdict(pattern).effect)).toEqual(["allow", "deny"]);
});

test("an absolute rule with a wildcard before the workspace limits folders in it", () => {
  const below = (enters: (folder: string) => boolean) => ({
    files: enters("secrets") ? [{ action: "read", resource: "secrets/a" }] : [],
    isWhole: true,
  });
  const verdict = (pattern: string) =>
    judge({ rules: [rule("allow", "*", "*"), rule("deny", "read", pattern)], ceilings: [], workspace: "/home/me/w" }, "x", [
      { action: "read", resource: ".", below },
    ]).effect;
  expect(["/home/*/w/secrets/**", "/home/me/w*/secrets/*", "/home/me/w/secrets/**"].map(verdict)).toEqual(["deny", "deny", "deny"]);
  expect(["/home/you/w/secrets/**", "/home/me/w/src/**"].map(verdict)).toEqual(["allow", "allow"]);
});

test("a later rule for another task takes nothing back that a deny holds in other words", () => {
  const call = (text: string) => [{ action: "command", resource: text, calls: [{ words: text.split(" "), verbs: 0 }] }];
  const rules = [rule("allow", "*", "*"), rule("deny", "command", "make seed*"), rule("allow", "command", "make test*")];
  const effects = ["make test seed", "make test", "make seed"].map((text) => judge({ rules, ceilings: [rules] }, "x", call(text)).effect);
  expect(effects).toEqual(["deny", "allow", "deny"]);
});

test("an exception for a command also covers it as a part of a longer text", () => {
  const access = [{ action: "command", resource: "make test", also: ["make test && make lint"] }];
  const rules = [rule("allow", "*", "*"), rule("deny", "command", "make *"), rule("allow", "command", "make test")];
  expect(judge({ rules, ceilings: [rules] }, "x", access).effect).toBe("allow");
  expect(judge({ rules: rules.slice(0, 2), ceilings: [] }, "x", access).effect).toBe("deny");
});

test("a deny of an address over https also holds for http, and not the other way round", () => {
  const all = rule("allow", "fetch", "*");
  expect(effect([all, rule("deny", "fetch", "https://a.example/*")], [], ["fetch", "http://a.example/x"])).toBe("deny");
  expect(effect([all, rule("deny", "fetch", "http://*")], [], ["fetch", "https://a.example/x"])).toBe("allow");
  const exception = [rule("deny", "fetch", "*", "ceiling"), rule("allow", "fetch", "http://a.example/*", "ceiling")];
  expect(effect([all], exception, ["fetch", "http://a.example/x"])).toBe("allow");
  expect(effect([all], exception, ["fetch", "https://a.example/x"])).toBe("deny");
});

test("a deny of a host without a port holds for every port, unless a later rule allows one", () => {
  const rules = [rule("allow", "*", "*"), rule("deny", "fetch", "https://a.example/*"), rule("deny", "network", "a.example")];
  expect(effect(rules, [], ["fetch", "https://a.example:8443/x"])).toBe("deny");
  expect(effect(rules, [], ["fetch", "http://a.example:8080/x"])).toBe("deny");
  expect(effect(rules, [], ["network", "a.example:8443"])).toBe("deny");
  expect(effect(rules, [], ["fetch", "https://b.example:8443/x"])).toBe("allow");
  expect(effect([...rules, rule("allow", "fetch", "https://a.example:8443/*")], [], ["fetch", "https://a.example:8443/x"])).toBe("allow");
  const onePort = [rule("allow", "*", "*"), rule("deny", "fetch", "https://a.example:8443/*")];
  expect(effect(onePort, [], ["fetch", "https://a.example/x"])).toBe("allow");
  expect(effect([rule("allow", "fetch", "https://a.example/*")], [], ["fetch", "https://a.example:8443/x"])).toBe("ask");
});
