import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { PluginSetting } from "@baton/core/protocol/config/plugin";
import { PLUGIN_SCHEMA_URL } from "./manifest.ts";
import { pluginUse } from "./plugin-enablement.ts";
import { openPlugins } from "./plugins.ts";

let root: string;
beforeEach(() => (root = mkdtempSync(path.join(tmpdir(), "baton-plugins-"))));
afterEach(() => rmSync(root, { recursive: true }));

const open = () =>
  openPlugins({
    folder: path.join(root, "plugins"),
    env: process.env,
    now: Date.now,
    changed: () => undefined,
    report: (problem, error) => {
      throw new Error(problem, { cause: error });
    },
  });

function write(name: string): string {
  const folder = path.join(root, name);
  mkdirSync(path.join(folder, "skills", "review"), { recursive: true });
  writeFileSync(path.join(folder, "plugin.json"), JSON.stringify({ $schema: PLUGIN_SCHEMA_URL, name }));
  writeFileSync(path.join(folder, "skills", "review", "SKILL.md"), "---\ndescription: Reviews.\n---\nReview.\n");
  return folder;
}

async function add(plugins: ReturnType<typeof open>, source: string) {
  const offer = await plugins.fetch(source);
  if ("refused" in offer) return offer;
  return plugins.approve(offer.staged.hash);
}

test("ten plugins can be added at once, each is found after a restart, and only a changed one is inactive", async () => {
  const names = Array.from({ length: 10 }, (_, i) => `kit${i}`);
  const first = open();
  await Promise.all(names.map((name) => add(first, write(name))));
  const again = open();
  await again.check();
  expect(again.list().map(({ name }) => name)).toEqual(names);
  writeFileSync(path.join(root, "plugins", "kit4", "files", "new"), "x");
  rmSync(path.join(root, "plugins", "kit7", "record.json"));
  await again.check(true);
  expect(again.list().flatMap(({ name, problem }) => (problem === undefined ? [] : name))).toEqual(["kit4"]);
  expect(again.list().map(({ name }) => name)).not.toContain("kit7");
});

test("a removed plugin leaves nothing behind, not even a version that waits for approval", async () => {
  const plugins = open();
  await add(plugins, write("kit"));
  await add(plugins, write("other"));
  writeFileSync(path.join(root, "kit", "new"), "x");
  writeFileSync(path.join(root, "other", "new"), "x");
  for (const name of ["kit", "other"]) await plugins.update(name);
  expect(await plugins.remove("kit")).toEqual({ removed: "kit" });
  const left = readdirSync(path.join(root, "plugins"), { recursive: true, encoding: "utf8" });
  expect(left.filter((each) => each.endsWith("plugin.json"))).toHaveLength(2); // the other one, and its version that waits
  expect(plugins.list().map(({ name }) => name)).toEqual(["other"]);
});

test("approving the same contents twice installs them once, and an unknown hash or name is refused", async () => {
  const plugins = open();
  const offer = await plugins.fetch(write("kit"));
  if ("refused" in offer) throw new Error(offer.refused.message);
  const { hash } = offer.staged;
  const [one, two] = await Promise.all([plugins.approve(hash), plugins.approve(hash)]);
  expect(one).toMatchObject({ name: "kit" });
  expect(two).toEqual(one);
  for (const unknown of ["", "../kit", "0".repeat(64)]) expect(await plugins.approve(unknown)).toHaveProperty("refused");
  for (const name of ["", "other", ".staged"]) expect(await plugins.remove(name)).toHaveProperty("refused");
});

const values: readonly (PluginSetting | undefined)[] = [undefined, true, false, ["code"], ["code", "plan"], ["debug"]];
const modes = ["code", "plan", "debug", "ask"];

test("a plugin is used in a mode if the user or the project turns it on, and no layer excludes the mode", () => {
  for (const managed of values)
    for (const user of values)
      for (const project of values) {
        const layer = (value: PluginSetting | undefined) => (value === undefined ? undefined : { kit: value });
        const layers = { managed: layer(managed), user: layer(user), project: layer(project) };
        const allows = (value: PluginSetting | undefined, mode: string) =>
          value === undefined || value === true || (value !== false && value.includes(mode));
        const isOn = user !== undefined || project !== undefined;
        const expected = modes.filter((mode) => isOn && [managed, user, project].every((value) => allows(value, mode)));
        const { on, by, modes: only = modes } = pluginUse("kit", layers);
        expect([layers, modes.filter((mode) => on && only.includes(mode))]).toEqual([layers, expected]);
        expect(by === "nobody" || layers[by] !== undefined).toBe(true);
        expect(pluginUse("constructor", layers)).toEqual({ on: false, by: "nobody" });
      }
});
