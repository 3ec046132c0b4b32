import { stackLayers } from "@baton/core/permission/rule-layers";
import { judge } from "@baton/core/permission/judge";
import type { SourcedRule } from "@baton/core/protocol/rule";
import { expect, test } from "vitest";
import { Folder } from "../../../../test/support/folder.ts";
import { gateCommand } from "../gate-command.ts";
import { dockerIgnores } from "./docker-ignore.ts";

test.each([
  ["secrets", { "secrets/a": true, "src/secrets/a": false, "secrets.txt": false }],
  ["**/secrets", { "secrets/a": true, "src/secrets/a": true }],
  ["/secrets/", { "secrets/a/b": true }],
  ["*.key", { "a.key": true, "src/a.key": false }],
  ["**/*.key", { "a.key": true, "src/a.key": true }],
  ["secrets\n!secrets/a", { "secrets/a": false, "secrets/b": false }],
  ["# secrets\n[s]ecrets", { "secrets/a": false }],
])("the list %j leaves out %j", async (list, files) => {
  using folder = new Folder();
  await folder.write(".dockerignore", list);
  const isLeftOut = dockerIgnores(folder.path);
  expect(Object.fromEntries(Object.keys(files).map((file) => [file, isLeftOut("", file)]))).toEqual(files);
});

test("a build does not read denied files that its list leaves out, unless the text or another list may change that", async () => {
  using folder = new Folder();
  for (const file of ["secrets/a", "Dockerfile", "src/a.ts"]) await folder.write(file, "x");
  const rule = (action: string, resource: string, effect: "allow" | "deny"): SourcedRule => ({
    action,
    resource,
    effect,
    layer: "user",
    source: "a",
  });
  const user = [rule("*", "*", "allow"), rule("read", "secrets/**", "deny")];
  const effect = (text: string) => {
    const rules = stackLayers({ mode: { rules: [], ceilings: [] }, user, workspace: [], session: [] });
    const gated = gateCommand(text, { workspace: folder.path, ownRoots: [], trusted: true, home: "/root" });
    return judge({ ...rules, workspace: folder.path }, "run_command", gated).effect;
  };
  expect(effect("docker build -t x .")).toBe("deny");
  await folder.write(".dockerignore", "secrets\n");
  expect(effect("docker build -t x .")).toBe("allow");
  expect(effect("docker build -t x src")).toBe("allow");
  expect(effect("docker build -t x secrets")).toBe("deny");
  expect(effect("docker build -f other -t x .")).toBe("deny");
  expect(effect("echo > .dockerignore; docker build -t x .")).toBe("deny");
});
