import { symlinkSync } from "node:fs";
import { code } from "@baton/core/mode/builtin/code";
import { actions } from "@baton/core/permission/known-actions";
import { builtinModes } from "@baton/core/mode/builtin-modes";
import { judge } from "@baton/core/permission/judge";
import { expect, test } from "vitest";
import { parseConfig } from "../../config/load-config.ts";
import { Folder } from "../../../test/support/folder.ts";
import { openManagedConfig } from "../foundation/open-config.ts";
import { openRuleSets } from "./rule-sets.ts";

const FORBIDDING = '{ "permissions": { "command": { "curl *": "deny" } }, "network": "off" }';
const BROKEN = '{ "permissions": { "command": { "curl *": "deny" }';
const MISSPELLED = '{ "permissions": { "comand": { "curl *": "deny" } } }';
const none = parseConfig("{}", "config.jsonc");

/** Judges for a user who allows everything, on a machine with such a managed file. */
async function open(text: string | undefined) {
  const folder = new Folder();
  const file = folder.at("etc/managed.jsonc");
  if (text !== undefined) await folder.write("etc/managed.jsonc", text);
  const changed = Promise.withResolvers<void>();
  const managed = await openManagedConfig(file, () => {}, changed.resolve, actions);
  const user = parseConfig('{ "permissions": { "command": "allow", "fetch": "allow" } }', "config.jsonc");
  const [code] = builtinModes;
  if (!code) throw new Error("there is no mode");
  const rules = openRuleSets({
    config: () => user,
    managed: managed.now,
    projects: { of: () => none },
    workspaces: { trust: () => "trusted", grants: () => [] },
    sourceOf: (folder) => folder,
  });
  const effects = () =>
    ["command curl x", "command ls", "fetch https://a.b", "read a.ts", "session attempt_completion"].map((each) => {
      const [action = "", resource = ""] = each.split(/ (.*)/s);
      const set = rules({ workspace: folder.path, mode: code, grants: [], ceilings: [] });
      return judge(set, "a_tool", [{ action, resource }]).effect;
    });
  return {
    effects,
    managed,
    changed: changed.promise,
    write: (now: string) => folder.write("etc/managed.jsonc", now),
    [Symbol.dispose]: () => {
      managed.close();
      folder[Symbol.dispose]();
    },
  };
}

const AS_IT_SAYS = ["deny", "allow", "deny", "allow", "allow"];
const NOTHING = ["deny", "deny", "deny", "deny", "allow"];
const ALL = ["allow", "allow", "allow", "allow", "allow"];

test.each([BROKEN, MISSPELLED, "", '{ "network": "of" }'])(
  "a machine's file that is %j from the start denies everything until it is repaired",
  async (text) => {
    using machine = await open(text);
    expect(machine.effects()).toEqual(NOTHING);
    expect(machine.managed.now().diagnostics[0]?.severity).toBe("error");
    await machine.write(FORBIDDING);
    await machine.managed.refresh();
    expect(machine.effects()).toEqual(AS_IT_SAYS);
  },
);

test("a file that breaks later keeps its previous rules, and a repaired file applies at once", async () => {
  using machine = await open(FORBIDDING);
  expect(machine.effects()).toEqual(AS_IT_SAYS);
  for (const text of [BROKEN, '{ "permissions": { "comand": "deny" }, "network": "of" }', ""]) {
    await machine.write(text);
    await machine.managed.refresh();
    expect(machine.effects()).toEqual(AS_IT_SAYS);
  }
  await machine.write("{}");
  await machine.managed.refresh();
  expect(machine.effects()).toEqual(ALL);
});

test("a file that appears later is noticed, even if its folder did not exist", async () => {
  using machine = await open(undefined);
  expect(machine.effects()).toEqual(ALL);
  await machine.write(FORBIDDING);
  await machine.changed;
  await machine.managed.refresh();
  expect(machine.effects()).toEqual(AS_IT_SAYS);
});

test("rules of modes, managed rules and rules about a copied folder hold in every spelling", async () => {
  using folder = new Folder();
  for (const file of ["real/a.txt", "gen/a.txt", "src/a.txt"]) await folder.write(file, "");
  symlinkSync("real", folder.at("link"));
  const managed = parseConfig('{ "permissions": { "read": { "link/**": "deny" } } }', "managed.jsonc", undefined, {
    layer: "managed",
    actions,
  });
  const user = parseConfig(`{ "permissions": { "*": "allow", "read": { "/source/src/**": "deny" } } }`, "config.jsonc");
  const rules = openRuleSets({
    config: () => user,
    managed: () => managed,
    projects: { of: () => none },
    workspaces: { trust: () => "trusted", grants: () => [] },
    sourceOf: () => "/source",
  });
  const mode = { ...code, permissions: [{ action: "edit", resource: "./gen/", effect: "deny" as const }] };
  const set = rules({ workspace: folder.path, mode, grants: [], ceilings: [] });
  const effect = (action: string, resource: string) => judge(set, "a_tool", [{ action, resource }]).effect;
  expect([effect("read", "real/a.txt"), effect("edit", "gen/a.txt"), effect("read", "src/a.txt")]).toEqual(["deny", "deny", "deny"]);
  expect([effect("edit", "real/a.txt"), effect("read", "gen/a.txt"), effect("edit", "src/a.txt")]).toEqual(["allow", "allow", "allow"]);
});
