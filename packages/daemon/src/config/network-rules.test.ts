import { expect, test } from "vitest";
import { judge } from "@baton/core/permission/judge";
import { allowedHostRules, networkRules } from "./resolve-settings.ts";
import { parseConfig } from "./load-config.ts";

const effects = (network: unknown, hosts: readonly string[]) => {
  const loaded = parseConfig(JSON.stringify({ network }), "/x/config.jsonc");
  expect(loaded.diagnostics).toEqual([]);
  const rules = { rules: allowedHostRules(loaded), ceilings: [networkRules(loaded)] };
  return hosts.map((resource) => judge(rules, "network", [{ action: "network", resource }]).effect).join(" ");
};

test("the lists of hosts become rules for exactly these hosts and ports", () => {
  const lists = { allow: ["a.test", "*.b.test", "c.test:22", "UP.test"], deny: ["bad.b.test", "d.test:8080", "*.e.test"] };
  expect(effects(lists, ["a.test", "x.b.test", "c.test:22", "up.test"])).toBe("allow allow allow allow");
  expect(effects(lists, ["a.test:22", "x.a.test", "b.test", "x.b.test:22", "c.test", "a.test.evil", "xa.test", "d.test"])).toBe(
    "ask ask ask ask ask ask ask ask",
  );
  expect(effects(lists, ["bad.b.test", "bad.b.test:22", "d.test:8080", "x.e.test", "x.e.test:1"])).toBe("deny deny deny deny deny");
  expect([effects("on", ["a.test:1"]), effects("off", ["a.test"]), effects({}, ["a.test"])]).toEqual(["allow", "deny", "ask"]);
  expect(effects({ allow: ["a.test"], deny: ["*"] }, ["a.test", "b.test:1"])).toBe("deny deny");
});

test.each(["https://a.test", "a.test/x", "a b", "", "*.*", "a*.test", "a.test:", "a.test:123456", "user@a.test", "a..b"])(
  "%j is not a host",
  (host) => {
    for (const list of ["allow", "deny"]) {
      const { diagnostics, config } = parseConfig(JSON.stringify({ network: { [list]: [host] } }), "/x/config.jsonc");
      expect(diagnostics[0]?.message).toContain("network");
      expect(config.network).toBeUndefined();
    }
  },
);
