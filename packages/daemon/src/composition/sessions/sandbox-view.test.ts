import { judge, type RuleSet } from "@baton/core/permission/judge";
import type { Effect, SourcedRule } from "@baton/core/protocol/rule";
import { expect, test } from "vitest";
import { Folder } from "../../../test/support/folder.ts";
import { limitedFiles } from "../../permission/limited-files.ts";
import { allowInSandbox } from "../../session/calls/judge/judge-sandbox.ts";
import { sandboxView } from "./sandbox-view.ts";

const EFFECTS: readonly Effect[] = ["allow", "ask", "deny"];
const rule = (action: string, resource: string, effect: Effect, layer: SourcedRule["layer"]): SourcedRule => ({
  action,
  resource,
  effect,
  layer,
  source: layer,
});
const DEFAULTS = [rule("read", "*", "allow", "defaults"), rule("edit", "*", "ask", "defaults"), rule("command", "*", "ask", "defaults")];

/** The rules of a layer, which are a ceiling if they can only make a verdict stricter. */
function ruleSet(own: readonly SourcedRule[], edits: Effect = "ask"): RuleSet {
  const isCeiling = own.some(({ layer }) => layer === "project" || layer === "ceiling");
  const rules = [...DEFAULTS, rule("edit", "*", edits, "user"), ...(isCeiling ? [] : own)];
  return { rules, ceilings: isCeiling ? [own] : [] };
}

const LAYERS = ["mode", "user", "workspace", "session", "project", "ceiling"] as const;

test("a command runs in the sandbox without a question only if the rules let it read the workspace", () => {
  for (const layer of LAYERS)
    for (const effect of EFFECTS) {
      const rules = ruleSet([rule("read", "*", effect, layer)]);
      const verdict = judge(rules, "run_command", [{ action: "command", resource: "make" }]);
      const expected = effect === "allow" ? "allow" : "ask";
      expect([layer, effect, allowInSandbox(verdict, rules).effect]).toEqual([layer, effect, expected]);
    }
});

test("a rule for a file or a folder of build results counts in the sandbox, in every layer and whatever edits do", async () => {
  using folder = new Folder();
  for (const file of ["dist/a.js", "dist/sub/b.js", "src/a.ts"]) await folder.write(file, "x");
  for (const layer of LAYERS)
    for (const edits of ["allow", "ask"] as const)
      for (const effect of ["ask", "deny"] as const)
        for (const [pattern, closed] of [
          ["dist/**", "dist"],
          ["dist/a.js", "dist/a.js"],
          ["dist/sub/*", "dist/sub"],
        ] as const) {
          const rules = ruleSet([rule("edit", pattern, effect, layer)], edits);
          const view = sandboxView(rules, { workspace: folder.path, writable: [], ownRoots: [], limitedFiles });
          const seen = typeof view === "string" ? view : [view.edits, view.readOnly];
          expect([layer, edits, effect, seen]).toEqual([
            layer,
            edits,
            effect,
            [edits === "allow" ? "all" : "artifacts", [folder.at(closed)]],
          ]);
        }
});

test("a workspace with too many folders to protect all of its files is not shown", async () => {
  using folder = new Folder();
  const limited: typeof limitedFiles = (...args) => ({ ...limitedFiles(...args), isWhole: false });
  const view = sandboxView(ruleSet([]), { workspace: folder.path, writable: [], ownRoots: [], limitedFiles: limited });
  expect(view).toContain("outside_sandbox");
});

test("a rule for packages counts in the sandbox, and so does a list of the only files that may be read", async () => {
  using folder = new Folder();
  for (const file of ["node_modules/priv/a.js", "node_modules/other/a.js", "public/a.txt", "b.txt"]) await folder.write(file, "x");
  const scope = { workspace: folder.path, writable: [], ownRoots: [], limitedFiles };
  const hidden = (...own: SourcedRule[]) => {
    const view = sandboxView(ruleSet(own, "allow"), scope);
    return typeof view === "string" ? view : [view.hidden, view.readOnly];
  };
  const file = folder.at("node_modules/priv/a.js");
  expect(hidden(rule("read", "node_modules/priv/**", "deny", "user"))).toEqual([[file], []]);
  expect(hidden(rule("edit", "node_modules/priv/**", "deny", "user"))).toEqual([[], [folder.at("node_modules/priv")]]);
  const onlyPublic = [rule("read", "*", "deny", "user"), rule("read", "public/**", "allow", "user")];
  expect(hidden(...onlyPublic)).toEqual([[folder.at("b.txt"), folder.at("node_modules")], []]);
});
