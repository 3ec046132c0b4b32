import { readFileSync } from "node:fs";
import { stackLayers } from "@baton/core/permission/rule-layers";
import { judge } from "@baton/core/permission/judge";
import { code } from "@baton/core/mode/builtin/code";
import { rulesOfMode } from "@baton/core/mode/mode-rules";
import { expect, test } from "vitest";
import { repository, rule } from "../../../../test/support/limited-repository.ts";
import { gateCommand } from "../gate-command.ts";

/** Calls of programs that control services, under a rule that allows everything. Those with `ask` change something there, or show keys. */
const LINES = readFileSync(new URL("../../../../test/permission/services.txt", import.meta.url), "utf8")
  .split("\n")
  .filter(Boolean)
  .map((line) => line.split(" :: ") as ["ask" | "pass", string]);

test("a grant for a program that controls services covers the calls that read or work on this machine, and no others", async () => {
  using folder = await repository();
  const passes = (command: string, grant: string) => {
    const user = [rule("*", "*", "allow"), rule("command", grant, "allow")];
    const layers = stackLayers({ mode: rulesOfMode(code), user, workspace: [], session: [] });
    const gated = gateCommand(command, { workspace: folder.path, ownRoots: [], trusted: true, home: "/root" });
    return judge({ ...layers, workspace: folder.path }, "run_command", gated).effect === "allow";
  };
  expect(LINES.length).toBeGreaterThan(800);
  expect(LINES.filter(([wanted, text]) => passes(text, "*") !== (wanted === "pass"))).toEqual([]);
  expect(LINES.filter(([wanted, text]) => passes(text, `${text.split(" ")[0]} *`) !== (wanted === "pass"))).toEqual([]);
});

test.each([
  ["flyctl scale *", "flyctl scale count 0", "flyctl apps destroy x"],
  ["restic backup *", "restic backup docs", "restic forget --prune"],
  ["hcloud server delete *", "hcloud server delete x", "hcloud server reboot x"],
])("a rule that names the verb covers it: %s", async (grant, covered, other) => {
  using folder = await repository();
  const user = [rule("*", "*", "allow"), rule("command", grant, "allow")];
  const layers = stackLayers({ mode: rulesOfMode(code), user, workspace: [], session: [] });
  const effects = [covered, other].map((command) => {
    const gated = gateCommand(command, { workspace: folder.path, ownRoots: [], trusted: true, home: "/root" });
    return judge({ ...layers, workspace: folder.path }, "run_command", gated).effect;
  });
  expect(effects).toEqual(["allow", "ask"]);
});
