import { expect, test } from "vitest";
import { applicationFolder, managedFile, stateFolder } from "./folders.ts";
import { platformOf, type Platform } from "./platform.ts";

test.each([
  ["linux", "linux"],
  ["darwin", "macos"],
  ["win32", "windows"],
  ["freebsd", "other"],
])("%s is %s", (name, platform) => expect(platformOf(name)).toBe(platform));

test.each<[Platform, Record<string, string>, string]>([
  ["linux", { HOME: "/home/a" }, "/home/a/.local/state/baton"],
  ["linux", { HOME: "/home/a", XDG_STATE_HOME: "/state" }, "/state/baton"],
  ["linux", {}, "/.local/state/baton"],
  ["macos", { XDG_STATE_HOME: "/state" }, "DATA"],
  ["windows", {}, "DATA"],
  ["other", { HOME: "/home/a" }, "DATA"],
])("on %s with %j the state is in %s", (platform, env, folder) => expect(stateFolder(env, "DATA", platform)).toBe(folder));

test.each<[Platform, Record<string, string>, string]>([
  ["linux", {}, "/etc/baton/managed.jsonc"],
  ["other", {}, "/etc/baton/managed.jsonc"],
  ["macos", {}, "/Library/Application Support/baton/managed.jsonc"],
  ["windows", {}, "C:\\ProgramData\\baton\\managed.jsonc"],
  ["windows", { ProgramData: "D:\\Data" }, "D:\\Data\\baton\\managed.jsonc"],
])("on %s with %j the rules of the machine are in %s", (platform, env, file) => expect(managedFile(env, platform)).toBe(file));

test.each<[Platform, Record<string, string>, string]>([
  ["linux", {}, "/xdg"],
  ["other", {}, "/xdg"],
  ["macos", {}, "/home/a/Library/Application Support"],
  ["windows", {}, "\\home\\a\\AppData\\Roaming"],
  ["windows", { APPDATA: "C:\\Users\\a\\AppData\\Roaming" }, "C:\\Users\\a\\AppData\\Roaming"],
])("on %s with %j editors keep their settings in %s", (platform, env, folder) =>
  expect(applicationFolder("/home/a", "/xdg", env, platform)).toBe(folder),
);
