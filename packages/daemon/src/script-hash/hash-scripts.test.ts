import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { scriptAndIncluded, hashScripts } from "./hash-scripts.ts";

test("a place with the same script as the project has the same stamp, and a place with a changed script has another one", () => {
  const root = mkdtempSync(path.join(tmpdir(), "baton-scripts-"));
  const [project, place] = [path.join(root, "project"), path.join(root, "place")];
  for (const folder of [project, place]) {
    mkdirSync(folder);
    writeFileSync(path.join(folder, "gate.sh"), "exit 2\n");
  }
  const stamps = (folder: string) => hashScripts(["sh gate.sh"], { folder, project }, {});
  expect(stamps(project)).toHaveLength(1);
  expect(stamps(place)).toEqual(stamps(project));
  writeFileSync(path.join(place, "gate.sh"), "exit 0 # the agent was here\n");
  expect(stamps(place)).not.toEqual(stamps(project));
});

const INCLUDED: readonly (readonly [script: string, included: string, text: string])[] = [
  ["a.sh", "lib.sh", "source ./lib.sh"],
  ["a.sh", "lib.sh", ". lib.sh"],
  ["a.sh", "lib/x.sh", `. "$(dirname "$0")/lib/x.sh"`],
  ["a.sh", "lib/x.sh", `DIR=$(cd "$(dirname "\${BASH_SOURCE[0]}")" && pwd)\nbash "$DIR/lib/x.sh"`],
  ["a.sh", "lib/x.sh", 'HERE="${0%/*}"\nsh "$HERE/lib/x.sh" --quiet'],
  ["a.sh", "check.py", "python3 check.py"],
  ["a.sh", "rules.js", "node --require=./rules.js main.js"],
  ["a.mjs", "x.js", 'import { x } from "./x.js";'],
  ["a.mjs", "x.js", 'const x = await import("./x.js");'],
  ["a.cjs", "x.js", "const x = require('./x');"],
  ["a.cjs", "x/index.js", "const x = require('./x');"],
  ["a.ts", "x.ts", 'export * from "./x";'],
  ["a.py", "rules.py", "from rules import check"],
  ["a.py", "rules.py", "import os, rules"],
  ["a.py", "lib/__init__.py", "from .lib import check"],
  ["a.rb", "x.rb", "require_relative 'x'"],
  ["a.php", "x.php", "<?php require __DIR__ . '/x.php';"],
];

test.for(INCLUDED)("the stamp of %s covers %s, included by %s", ([script, name, text]) => {
  const folder = mkdtempSync(path.join(tmpdir(), "baton-scripts-"));
  mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
  writeFileSync(path.join(folder, script), `${text}\n`);
  const folders = { folder, project: folder };
  const stamps = () => [hashScripts([path.join(folder, script)], folders, {}), scriptAndIncluded(path.join(folder, script), folders)];
  const without = stamps();
  writeFileSync(path.join(folder, name), "1\n");
  const before = stamps();
  writeFileSync(path.join(folder, name), "2\n");
  const after = stamps();
  for (const [i, each] of after.entries()) {
    expect(each).not.toEqual(before[i]);
    expect(before[i]).not.toEqual(without[i]);
    expect(each).toHaveLength(2);
  }
});

test("a script below the folder of the repository is covered", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "baton-scripts-"));
  mkdirSync(path.join(folder, ".codex/hooks"), { recursive: true });
  writeFileSync(path.join(folder, ".codex/hooks/x.py"), "");
  const line = '/usr/bin/env python3 "$(git rev-parse --show-toplevel)/.codex/hooks/x.py"';
  expect(hashScripts([line], { folder, project: folder }, {})).toHaveLength(1);
});

test("files that include each other are read once, and only to a limited depth", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "baton-scripts-"));
  for (let i = 0; i < 10; i++) writeFileSync(path.join(folder, `s${i}.sh`), `. ./s${(i + 1) % 10}.sh\n. ./s0.sh\n`);
  const names = hashScripts(["sh s0.sh"], { folder, project: folder }, {}).map(([file]) => path.basename(file));
  expect(names).toEqual(["s0.sh", "s1.sh", "s2.sh", "s3.sh"]);
});
