import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { expect, test } from "vitest";
import { judge } from "@baton/core/permission/judge";
import { stack } from "@baton/core/permission/layer";
import type { Effect, PlacedRule } from "@baton/core/protocol/rule";
import { Folder } from "../../../test/support/folder.ts";
import { gateCommand } from "./gate-command.ts";

const linesOf = (name: string): string[] =>
  readFileSync(new URL(`../../../test/permission/${name}.txt`, import.meta.url), "utf8")
    .split("\n")
    .filter((line) => line !== "");

const grants = (name: string): PlacedRule[] =>
  linesOf(name).map((resource) => ({ action: "command", resource, effect: "allow", layer: "user", source: `${name}.txt` }));

const FILES = "package.json README.md src/a.ts src/b.ts src/index.ts src2/a.ts packages/core/package.json log.txt dist/main.js .env";

/** What would happen to each line in a trusted workspace with these grants, and how long it took to say so. */
async function verdicts(lines: readonly string[], allowed: string): Promise<{ line: string; effect: Effect; why: string; ms: number }[]> {
  using folder = new Folder();
  for (const file of FILES.split(" ")) await folder.write(file, "");
  const rules = stack({ mode: { rules: [], ceilings: [] }, user: grants(allowed), workspace: [], session: [] });
  const context = { workspace: folder.path, ownRoots: [], trusted: true, home: homedir() };
  const once = (line: string) => {
    const began = performance.now();
    const { effect, why } = judge(rules, "run_command", gateCommand(line, context));
    return { line, effect, why, ms: performance.now() - began };
  };
  lines.forEach(once);
  return lines.map(once);
}

function print(name: string, judged: readonly { ms: number }[], wrong: number): void {
  const times = judged.map(({ ms }) => ms).toSorted((a, b) => a - b);
  const at = (part: number) => (times[Math.floor(times.length * part)] ?? 0).toFixed(2);
  console.log(`${name}: ${judged.length} cases, ${wrong} wrong, one verdict p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`);
}

test("nothing that gets around a rule is allowed, however broad the grants are", async () => {
  const judged = await verdicts(linesOf("bypass"), "broad");
  const missed = judged.filter(({ effect }) => effect === "allow").map(({ line }) => line);
  print("bypasses", judged, missed.length);
  expect(missed).toEqual([]);
});

test("what developers run every day does not ask, with the usual grants", async () => {
  const judged = await verdicts(linesOf("everyday"), "grants");
  const asking = judged.filter(({ effect }) => effect !== "allow").map(({ line, why }) => `${line}: ${why}`);
  print("everyday commands", judged, asking.length);
  expect(asking).toEqual([]);
});
