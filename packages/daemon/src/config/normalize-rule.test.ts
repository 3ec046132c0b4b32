import { symlinkSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { Folder } from "../../test/support/folder.ts";
import { normalizedRules, withRealPlaces } from "./normalize-rule.ts";

const normalized = (action: string, resource: string) => normalizedRules({ action, resource, effect: "deny" }).map((rule) => rule.resource);

test.each([
  ["read", "./docs/**", "docs/**"],
  ["read", "docs//b/**", "docs/b/**"],
  ["edit", "secrets/", "secrets/**"],
  ["edit", ".", "**"],
  ["edit", "./", "**"],
  ["edit", "a/../secrets/**", "secrets/**"],
  ["edit", ".env", ".env"],
  ["read", "**/*.key", "**/*.key"],
  ["read", "~/nowhere/x", path.join(homedir(), "nowhere/x")],
  ["read", "${HOME}/nowhere/x", path.join(homedir(), "nowhere/x")],
  ["command", "./scripts/../x*", "./scripts/../x*"],
  ["fetch", "https://Example.COM", "https://example.com/*"],
  ["fetch", "https://b\u00fccher.de/*", "https://xn--bcher-kva.de/*"],
  ["fetch", "https://example.com:443/*", "https://example.com/*"],
  ["fetch", "http://example.com:80/*", "http://example.com/*"],
  ["fetch", "http://example.com:443/*", "http://example.com:443/*"],
  ["fetch", "https://*.Example.com/*", "https://*.example.com/*"],
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

test("a wildcard for folders also stands for none, and a rule for a folder outside of the workspace for the folder itself", () => {
  expect(normalized("read", "src/**/keys/**")).toEqual(["src/**/keys/**", "src/keys/**"]);
  expect(normalized("external_directory", "/nowhere/x/**")).toEqual(["/nowhere/x/**", "/nowhere/x"]);
  expect(normalized("*", "./secrets/")).toEqual(["./secrets/", "secrets/**"]);
  expect(normalized("fetch", "example.com")).toEqual(["https://example.com/*", "http://example.com/*"]);
});

test("a rule that allows does not become wider", () => {
  const allowed = (action: string, resource: string) => normalizedRules({ action, resource, effect: "allow" }).map((rule) => rule.resource);
  expect(allowed("edit", "./**")).toEqual(["./**"]);
  expect(allowed("*", "./x/")).toEqual(["./x/"]);
  expect(allowed("fetch", "https://example.com")).toEqual(["https://example.com/"]);
  expect(allowed("fetch", "example.com/*")).toEqual(["example.com/*"]);
});

test("a rule that limits a place through a link of the workspace limits the real place", async () => {
  using folder = new Folder();
  await folder.write("real/a.txt", "");
  symlinkSync("real", folder.at("link"));
  const places = (resource: string, effect: "allow" | "deny" = "deny") =>
    withRealPlaces([{ action: "read", resource, effect }], folder.path).map((rule) => rule.resource);
  expect(places("link/**")).toEqual(["link/**", "real/**"]);
  expect(places("real/**")).toEqual(["real/**"]);
  expect(places("link/**", "allow")).toEqual(["link/**"]);
});
