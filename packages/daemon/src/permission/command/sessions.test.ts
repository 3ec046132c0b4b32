import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { judge, type RuleSet } from "@baton/core/permission/judge";
import { stackLayers } from "@baton/core/permission/rule-layers";
import type { SourcedRule } from "@baton/core/protocol/rule";
import { Folder } from "../../../test/support/folder.ts";
import { gateCommand } from "./gate-command.ts";

const linesOf = (name: string): string[] =>
  readFileSync(new URL(`../../../test/permission/${name}.txt`, import.meta.url), "utf8")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("# "));

const allow = (action: string, resource: string): SourcedRule => ({ action, resource, effect: "allow", layer: "user", source: "test" });
const commands = (patterns: readonly string[]) => patterns.map((pattern) => allow("command", pattern));

const usual = commands(["npm test*", "pytest*", "cargo *", "go test*", "make *", "git commit*"]);
const broad = [...usual, ...commands(linesOf("broad"))];
const work = [...broad, ...["edit", "read", "external_directory"].map((action) => allow(action, "*"))];

/** The rules of the user: the fewest with which a line should not ask. A line of `asks` asks with all of them. */
const SETS: Readonly<Record<string, readonly SourcedRule[]>> = { none: [], usual, broad, work, asks: work };

const FILES =
  "README.md package.json src/a.ts src/b.ts docs/a.md scripts/x.ts .env .env.example Makefile Cargo.toml install.sh tests/test_a.py .summaries/IMPL-1-summary.md";

/** Each line with its set of rules. `/repo` in a line is the workspace. */
const LINES = linesOf("sessions").map((line) => {
  const [, set = "", text = ""] = /^(\w+) :: (.*)$/.exec(line) ?? [];
  return { set, text: text.replaceAll("\\n", "\n") };
});

let folder: Folder;

beforeAll(async () => {
  folder = new Folder();
  for (const file of FILES.split(" ")) await folder.write(file, "x\n");
  for (const { text } of LINES)
    for (const [, entered = ""] of text.matchAll(/(?:^|&& )cd (?:\/repo\/)?([\w.][\w./-]*)/g))
      mkdirSync(folder.at(entered), { recursive: true });
  const git = (line: string) => execFileSync("git", line.split(" "), { cwd: folder.path, stdio: "ignore" });
  git("init -q -b main");
  git("add README.md package.json src docs scripts");
  git("-c user.name=a -c user.email=a@b commit -qm all");
  for (const branch of ["dev", "development", "claude/wonderful-shaw"]) git(`branch ${branch}`);
  for (const remote of ["origin", "fork"]) git(`remote add ${remote} https://example.com/${remote}.git`);
});

afterAll(() => folder[Symbol.dispose]());

/** Returns the lines of some sets on which the verdict is `allow`, or is not. */
function judged(isAllowed: boolean, isAsking: boolean): string[] {
  const context = { workspace: folder.path, ownRoots: [], trusted: true, home: "/root" };
  return LINES.filter(({ set }) => (set === "asks") === isAsking).flatMap(({ set, text }) => {
    const user = SETS[set];
    if (!user) throw new Error(`There is no set of rules "${set}".`);
    const rules: RuleSet = stackLayers({ mode: { rules: [], ceilings: [] }, user, workspace: [], session: [] });
    const gated = gateCommand(text.replaceAll(/\/repo(?![\w-])/g, folder.path), context);
    const { effect, why } = judge({ ...rules, workspace: folder.path }, "run_command", gated);
    return (effect === "allow") === isAllowed ? [`${set}: ${text}: ${why}`] : [];
  });
}

test("of the lines that agents ran in public sessions, at most 1 % ask although the rules allow all that they do", () => {
  const asking = judged(false, false);
  const total = LINES.filter(({ set }) => set !== "asks").length;
  expect(total).toBeGreaterThan(700);
  expect(asking.length > total * 0.01 ? asking : []).toEqual([]);
});

test("the lines of these sessions that delete, publish or run unknown code ask with all these rules", () => {
  expect(judged(true, true)).toEqual([]);
});
