import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { expect, test } from "vitest";
import { judge } from "@baton/core/permission/judge";
import { stackLayers } from "@baton/core/permission/rule-layers";
import type { Effect, SourcedRule } from "@baton/core/protocol/rule";
import { Folder } from "../../../test/support/folder.ts";
import { gateCommand } from "./gate-command.ts";

const linesOf = (name: string): string[] =>
  readFileSync(new URL(`../../../test/permission/${name}.txt`, import.meta.url), "utf8")
    .split("\n")
    .filter((line) => line !== "");

const rule = (action: string, resource: string, effect: Effect, source: string): SourcedRule => ({
  action,
  resource,
  effect,
  layer: "user",
  source,
});
const grants = (name: string): SourcedRule[] => linesOf(name).map((resource) => rule("command", resource, "allow", `${name}.txt`));
/** Rules that allow everything except these. */
const DENYING = [
  rule("*", "*", "allow", "test"),
  ...["rm *", "curl *", "git push *"].map((resource) => rule("command", resource, "deny", "test")),
  rule("read", "secret*", "deny", "test"),
];

const FILES =
  "package.json README.md src/a.ts src/b.ts src/index.ts src2/a.ts packages/core/package.json log.txt dist/main.js .env .git/HEAD secret.txt bare/HEAD bare/objects/x bare/refs/x bare/sub/x";

const WARM_UP = 100;

/** Returns the verdict on each line in a trusted workspace with these rules of the user, and the time that it took. */
async function verdicts(
  lines: readonly string[],
  user: readonly SourcedRule[],
): Promise<{ line: string; effect: Effect; why: string; ms: number }[]> {
  using folder = new Folder();
  for (const file of FILES.split(" ")) await folder.write(file, "");
  const rules = stackLayers({ mode: { rules: [], ceilings: [] }, user, workspace: [], session: [] });
  const context = { workspace: folder.path, ownRoots: [], trusted: true, home: homedir() };
  const once = (line: string) => {
    const began = performance.now();
    const { effect, why } = judge(rules, "run_command", gateCommand(line, context));
    return { line, effect, why, ms: performance.now() - began };
  };
  lines.slice(0, WARM_UP).forEach(once);
  return lines.map(once);
}

function print(name: string, judged: readonly { ms: number }[], wrong: number): void {
  const times = judged.map(({ ms }) => ms).toSorted((a, b) => a - b);
  const at = (part: number) => (times[Math.floor(times.length * part)] ?? 0).toFixed(2);
  console.log(`${name}: ${judged.length} cases, ${wrong} wrong, one verdict p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`);
}

test("no command that bypasses a rule is allowed, however broad the grants are", async () => {
  const judged = await verdicts(linesOf("bypass"), grants("broad"));
  const missed = judged.filter(({ effect }) => effect === "allow").map(({ line }) => line);
  print("bypasses", judged, missed.length);
  expect(missed).toEqual([]);
});

test("a denied command stays denied under a rule that allows everything, whatever surrounds it", async () => {
  const judged = await verdicts(linesOf("denied"), DENYING);
  const missed = judged.filter(({ effect }) => effect === "allow").map(({ line }) => line);
  print("denied", judged, missed.length);
  expect(missed).toEqual([]);
});

test("everyday commands of developers do not ask, with the usual grants", async () => {
  const judged = await verdicts(linesOf("everyday"), grants("grants"));
  const asking = judged.filter(({ effect }) => effect !== "allow").map(({ line, why }) => `${line}: ${why}`);
  print("everyday commands", judged, asking.length);
  expect(asking).toEqual([]);
});
