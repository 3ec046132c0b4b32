import { homedir } from "node:os";
import { expect, test } from "vitest";
import { judge } from "@baton/core/permission/judge";
import { stackLayers } from "@baton/core/permission/rule-layers";
import { Folder } from "../../../../test/support/folder.ts";
import { gateCommand } from "../gate-command.ts";

/** Returns the effect of a line with `git *` allowed, in a mode that may change only test files. */
function effectOf(text: string): string {
  using folder = new Folder();
  const gated = gateCommand(text, { workspace: folder.path, ownRoots: [], trusted: true, home: homedir() });
  const rule = { layer: "user", source: "test" } as const;
  const user = [{ action: "command", resource: "git *", effect: "allow", ...rule } as const];
  const only = (resource: string | { regex: string }, effect: "allow" | "deny") =>
    ({ action: "edit", resource, effect, layer: "ceiling", source: "mode tester" }) as const;
  const ceilings = [[only("*", "deny"), only("*.test.js", "allow")]];
  return judge(stackLayers({ mode: { rules: [], ceilings }, user, workspace: [], session: [] }), "run_command", gated).effect;
}

test.each([
  "git restore src/slots.js",
  "git restore --source=HEAD~0 src/slots.js",
  "git restore -s HEAD src/slots.js",
  "git restore --staged --worktree src/slots.js",
  "git checkout HEAD -- README.md",
  "git checkout -- README.md",
  "git checkout HEAD README.md",
  "git checkout README.md",
])("%s changes the file that it names", (text) => expect(effectOf(text)).toBe("deny"));

test.each([
  "git restore src/slots.test.js",
  "git restore --staged src/slots.js",
  "git checkout main",
  "git checkout feature/x",
  "git checkout v1.2",
  "git checkout release/2.10",
  "git checkout -b slots.js",
])("%s changes no file that the mode protects", (text) => expect(effectOf(text)).toBe("allow"));

test.each([
  "git checkout HEAD src",
  "git checkout -- ':/src/slots.test.js'",
  "git checkout -- '*.test.js'",
  "git restore ':(top)src/slots.test.js'",
  "git restore --pathspec-from-file=list",
])("%s changes more than it names, so the gate does not allow it by itself", (text) => expect(effectOf(text)).not.toBe("allow"));
