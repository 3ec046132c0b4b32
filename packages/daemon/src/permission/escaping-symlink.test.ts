import { symlink } from "node:fs/promises";
import { expect, test } from "vitest";
import type { SourcedRule } from "@baton/core/protocol/rule";
import { Folder } from "../../test/support/folder.ts";
import { deniedReadReason } from "./escaping-symlink.ts";

test("Baton does not read a project file on its own that rules deny, also through a link", async () => {
  using folder = new Folder();
  await folder.write("secrets/a.md", "");
  await folder.write("docs/b.md", "");
  await symlink("secrets/a.md", folder.at("link.md"));
  const rule = (layer: "user" | "managed", effect: "deny" | "ask"): SourcedRule => ({
    action: "read",
    resource: "secrets/**",
    effect,
    layer,
    source: "config.jsonc:3",
  });
  const reasonFor = (file: string, user: SourcedRule[], managed: SourcedRule[] = []) =>
    deniedReadReason(folder.at(file), folder.path, { rules: user, ceilings: [managed], workspace: folder.path });
  const denied = [rule("user", "deny")];
  expect(reasonFor("secrets/a.md", denied)).toContain("Your rules deny reading it: read secrets/a.md denied by");
  expect(reasonFor("link.md", denied)).toContain("config.jsonc:3");
  expect(reasonFor("secrets/a.md", [], [rule("managed", "deny")])).toContain("deny reading it");
  expect([reasonFor("docs/b.md", denied), reasonFor("secrets/a.md", [rule("user", "ask")])]).toEqual([undefined, undefined]);
});
