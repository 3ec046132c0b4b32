import { symlinkSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { Folder } from "../../test/support/folder.ts";
import { normalizedRules } from "./normalize-rule.ts";

const normalized = (action: string, resource: string) => normalizedRules({ action, resource, effect: "deny" }).map((rule) => rule.resource);

test.each([
  ["read", "./docs/**", "docs/**"],
  ["read", "docs//b/**", "docs/b/**"],
  ["edit", "secrets/", "secrets/**"],
  ["edit", ".", "."],
  ["edit", ".env", ".env"],
  ["read", "**/*.key", "**/*.key"],
  ["read", "~/nowhere/x", path.join(homedir(), "nowhere/x")],
  ["read", "${HOME}/nowhere/x", path.join(homedir(), "nowhere/x")],
  ["command", "./scripts/../x*", "./scripts/../x*"],
  ["fetch", "https://Example.COM", "https://example.com/"],
  ["fetch", "https://b\u00fccher.de/*", "https://xn--bcher-kva.de/*"],
  ["fetch", "https://example.com:443/*", "https://example.com/*"],
  ["fetch", "https://*.Example.com/*", "https://*.Example.com/*"],
])("a rule for %s of %s is one for %s", (action, resource, normal) => expect(normalized(action, resource)).toEqual([normal]));

test("a rule for a path that leads through a link is one for the real path as well", async () => {
  using folder = new Folder();
  await folder.write("real/a.txt", "");
  symlinkSync("real", folder.at("link"));
  symlinkSync("real/a.txt", folder.at("file"));
  expect(normalized("read", folder.at("link/*.txt"))).toEqual([folder.at("link/*.txt"), folder.at("real/*.txt")]);
  expect(normalized("edit", folder.at("file"))).toEqual([folder.at("file"), folder.at("real/a.txt")]);
  expect(normalized("edit", folder.at("link/new/b.txt"))).toEqual([folder.at("link/new/b.txt"), folder.at("real/new/b.txt")]);
  expect(normalized("edit", folder.at("real/*"))).toEqual([folder.at("real/*")]);
});
