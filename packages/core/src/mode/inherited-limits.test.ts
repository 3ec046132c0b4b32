import { expect, test } from "vitest";
import { judge } from "../permission/judge.ts";
import { stackLayers } from "../permission/rule-layers.ts";
import type { Mode, ModeLimits } from "../protocol/mode.ts";
import type { SourcedRule } from "../protocol/rule.ts";
import { code } from "./builtin/code.ts";
import { explore } from "./builtin/explore.ts";
import { inheritedLimits, rulesOfMode } from "./mode-rules.ts";
import { groupsOf } from "./tool-groups.ts";

const everything: SourcedRule = { action: "*", resource: "*", effect: "allow", layer: "user", source: "test" };
const effectIn = (mode: Mode, parent: readonly SourcedRule[], { tool, action, resource }: (typeof accesses)[number]) =>
  judge(stackLayers({ mode: rulesOfMode(mode), user: [everything], workspace: [], session: [], parent }), tool, [{ action, resource }])
    .effect;

/** Ways in which a mode is limited. Any two of them may come together. */
const limits: Record<string, Partial<ModeLimits>> = {
  nothing: {},
  "some groups": { groups: ["read", "orchestrate"] },
  "files of a group": { groups: [{ name: "read", fileRegex: "^src/" }, { name: "edit", fileRegex: "^src/" }, "browser", "orchestrate"] },
  "files out of a group": { groups: [{ name: "read", deny: "secret" }, "edit", "browser", "orchestrate"] },
  "tools of a group": { groups: [{ name: "read", tools: ["read_file"] }, "edit", "browser", "orchestrate"] },
  "allowed files": { allowedFilePaths: ["^src/", "^docs/"] },
  "disallowed files": { disallowedFilePaths: ["secret"] },
  "allowed tools": { tools: { allow: ["read_*", "new_task"] } },
  "denied tools": { tools: { deny: ["search_text", "fetch_url"] } },
  rules: {
    permissions: [
      { action: "read", resource: "docs/*", effect: "deny" },
      { action: "fetch", resource: "*", effect: "deny" },
      { action: "fetch", resource: "https://a.example/*", effect: "allow" },
    ],
  },
  "an outer mode": { within: { groups: [{ name: "read", fileRegex: "^src/" }] } } as Partial<ModeLimits>,
};

const accesses = [
  ...["read_file", "search_text", "list_files"].flatMap((tool) =>
    ["src/a.ts", "src/secret.ts", "docs/a.md", "README.md", ".", "/etc/passwd"].map((resource) => ({ tool, action: "read", resource })),
  ),
  ...["https://a.example/x", "https://b.example/x"].map((resource) => ({ tool: "fetch_url", action: "fetch", resource })),
  ...["src/a.ts", "docs/a.md"].map((resource) => ({ tool: "write_file", action: "edit", resource })),
  { tool: "run_command", action: "command", resource: "npm test" },
];

const parents = Object.entries(limits).flatMap(([one, a]) =>
  Object.entries(limits).map(([other, b]) => ({
    name: `${one} and ${other}`,
    mode: { ...code, ...a, ...b },
    isOne: one === other,
  })),
);
/** Someone may give explore every group. */
const wide: Mode = { ...explore, groups: ["read", "edit", "browser", "command"] };

test.each(parents)("a searching session of a mode limited by $name gets nothing that the mode or itself denies", ({ mode, isOne }) => {
  for (const child of [explore, wide]) {
    const inherited = inheritedLimits(mode, groupsOf(child), []);
    for (const access of accesses) {
      const [parent, own, both] = [effectIn(mode, [], access), effectIn(child, [], access), effectIn(child, inherited, access)];
      const isDenied = parent === "deny" || own === "deny";
      expect([access, both === "deny"]).toEqual([access, isDenied || (!isOne && both === "deny")]);
    }
  }
});

test("limits from above stay, and no rule of the mode takes them back", () => {
  const above: SourcedRule[] = ["edit", "fetch"].map((action) => ({
    action,
    resource: "*",
    effect: "deny",
    layer: "ceiling",
    source: "parent in mode ask",
  }));
  for (const { mode } of parents) {
    const inherited = inheritedLimits(mode, groupsOf(wide), [above]);
    for (const access of accesses.filter(({ action }) => action === "edit" || action === "fetch"))
      expect(effectIn(wide, inherited, access)).toBe("deny");
  }
});
