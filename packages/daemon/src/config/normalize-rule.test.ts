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

test("a rule that limits also names what else its text may mean", () => {
  expect(normalized("read", "a/**/b/**/c.txt")).toEqual(["a/**/b/**/c.txt", "a/**/b/c.txt", "a/b/**/c.txt", "a/b/c.txt"]);
  expect(normalized("read", "a/**/b/**/c/**/d/**/e/**/f.txt")).toHaveLength(16);
  expect(normalized("read", "a/**/b/**/c/**/d/**/e/**/f.txt").every((each) => each.endsWith("/e/**/f.txt"))).toBe(true);
  expect(normalized("edit", "{src,test}/**")).toEqual(["{src,test}/**", "src/**", "test/**"]);
  expect(normalized("read", "/nowhere/x/../private/**")).toEqual(["/nowhere/private/**"]);
  expect(normalized("read_file", "real/**/f.txt")).toEqual(["real/**/f.txt", "real/f.txt"]);
  expect(normalized("mcp", "files")).toEqual(["files", "files__*"]);
  expect(normalized("network", "PyPI.org")).toEqual(["pypi.org"]);
  expect(normalizedRules({ action: "read", resource: { exact: "./a.ts" }, effect: "deny" }).map((rule) => rule.resource)).toEqual([
    { exact: "./a.ts" },
    { exact: "a.ts" },
  ]);
});

test.each([
  ["example.com*", ["https://example.com*", "http://example.com*"]],
  ["example.*", ["https://example.*", "http://example.*"]],
  ["https://Example.com*", ["https://example.com*"]],
  ["http*://example.com", ["http*://example.com/*"]],
  ["https://[2606:4700:0:0::1111]/*", ["https://[2606:4700::1111]/*"]],
  ["https://example.com/priv\u00e9/*", ["https://example.com/priv%C3%A9/*"]],
  ["https://example.com/a b/*", ["https://example.com/a%20b/*"]],
  ["https://example.com/%61dmin/?*", ["https://example.com/admin/?*"]],
  ["example.com:8443", ["https://example.com:8443/*", "http://example.com:8443/*"]],
  ["*", ["*"]],
  ["localhost", ["localhost"]],
])("a deny of the address %s is one of %j", (address, addresses) => {
  expect(normalized("fetch", address)).toEqual(addresses);
  expect(normalized("fetch_url", address)).toEqual(addresses);
});

test("a rule that begins with .. limits that place, and an absolute rule also limits a copy of the folder", () => {
  const limited = (resource: string, source?: string) =>
    withRealPlaces([{ action: "read", resource, effect: "deny" }], "/nowhere/copy", source).map((rule) => rule.resource);
  expect(limited("../private/**")).toEqual(["../private/**", "/nowhere/private/**"]);
  expect(limited("/nowhere/src/secrets/**", "/nowhere/src")).toEqual(["/nowhere/src/secrets/**", "/nowhere/copy/secrets/**"]);
  expect(limited("/nowhere/other/**", "/nowhere/src")).toEqual(["/nowhere/other/**"]);
});
