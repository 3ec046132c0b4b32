import { homedir } from "node:os";
import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { judge } from "@baton/core/permission/judge";
import { stackLayers } from "@baton/core/permission/rule-layers";
import type { Resource } from "@baton/core/protocol/rule";
import { Folder } from "../../../../test/support/folder.ts";
import { gateCommand } from "../gate-command.ts";

const effectOf = (text: string, resource: Resource, ownRoots: string[] = []) => {
  using folder = new Folder();
  const gated = gateCommand(text, { workspace: folder.path, ownRoots, trusted: true, home: homedir() });
  const user = ["command", "external_directory"].map(
    (action) => ({ action, resource, effect: "allow", layer: "user", source: "t" }) as const,
  );
  return judge(stackLayers({ mode: { rules: [], ceilings: [] }, user, workspace: [], session: [] }), "run_command", gated).effect;
};

test.each([
  "baton answer 1 once",
  "baton inbox && baton answer 1 once",
  "node_modules/.bin/baton answer 1 once",
  "npx baton trust",
  "env BATON_HOME=/x baton trust",
  "baton permissions import x.json --write",
  "baton modes edit code --set groups=[]",
  "baton mcp approve x",
  "baton mcp add x -- y",
  "baton run --on-request allow hi",
  "baton daemon stop",
  "baton $x",
  "baton answer 1 once -- --help",
  "baton",
  "baton --mode help answer x allow",
  "baton --model tools permissions allow",
  "baton answer x allow --note --help",
  "baton modes --json delete x",
  "baton models refresh https://a.example/x.json",
  "baton models --json refresh x.json",
  "baton models reset",
  "baton background stop x s1.1",
  "yarn baton answer x once",
  "pnpm run baton answer x once",
  "node node_modules/.bin/baton answer x once",
  "node node_modules/@baton/cli/dist/main.js trust",
])("%s asks, even if a pattern allows it", (text) => expect(effectOf(text, "*")).toBe("ask"));

test.each([
  "baton sessions",
  "baton show x",
  "baton context x",
  "baton models",
  "baton models list --json",
  "baton background",
  "baton background output x s1.1",
  "baton usage --by day",
  "baton permissions check --tool x",
  "baton --version",
  "baton answer --help",
])("%s only shows something", (text) => expect(effectOf(text, "*")).toBe("allow"));

test("a rule with the exact command allows it", () => expect(effectOf("baton trust", { exact: "baton trust" })).toBe("allow"));

test("Baton's own folders are also closed to a program without a table", () => {
  using own = new Folder();
  writeFileSync(`${own.path}/baton.db`, "");
  expect(effectOf(`sqlite3 ${own.path}/baton.db .dump`, "*", [own.path])).toBe("deny");
});
