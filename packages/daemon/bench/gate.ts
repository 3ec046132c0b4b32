import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { gateCommand } from "../src/permission/command/gate-command.ts";
import { parseShell } from "../src/permission/command/shell/parse.ts";
import { quantile, type Row } from "./table.ts";

const ROUNDS = 10;

/** Judges command lines as agents write them in a new repository, beside only parsing them, and lines with ten times as many commands. */
export function gate(): Row[] {
  const folder = mkdtempSync(path.join(tmpdir(), "baton-bench-gate-"));
  execFileSync("git", ["init", "-q"], { cwd: folder });
  const context = { workspace: folder, ownRoots: [], trusted: true, home: "/root" };
  const timed = (lines: readonly string[], act: (line: string) => unknown): number[] =>
    lines.map((line) => {
      const began = performance.now();
      act(line);
      return performance.now() - began;
    });
  const judge = (line: string) => gateCommand(line, context);
  const lines = everyday();
  for (let i = 0; i < 3; i++) timed(lines, judge);
  const rounds = Array.from({ length: ROUNDS }, () => timed(lines, judge));
  const parsed = Array.from({ length: ROUNDS }, () => timed(lines, parseShell)).flat();
  const long = (commands: number) => Array.from({ length: commands }, (_, i) => `cat src/f${i}.ts | grep x${i}`).join("; ");
  const perCommand = (commands: number) => timed(Array<string>(100).fill(long(commands)), judge).map((ms) => ms / commands);
  const rows: Row[] = [
    {
      what: "verdict on an everyday command line",
      unit: "ms",
      values: rounds.flat(),
      budget: "0.2 ms",
      reference: { what: "its parse alone", values: parsed },
    },
    { what: "the same, p99 of a round", unit: "ms", values: rounds.map((each) => quantile(each, 0.99)), budget: "1 ms" },
    {
      what: "verdict per command in a line of 100",
      unit: "ms",
      values: perCommand(100),
      reference: { what: "in a line of 10", values: perCommand(10) },
    },
  ];
  rmSync(folder, { recursive: true });
  return rows;
}

function everyday(): string[] {
  const text = readFileSync(new URL("../test/permission/transcripts.txt", import.meta.url), "utf8");
  return text
    .split("\n")
    .filter(Boolean)
    .map((line) => line.slice(line.indexOf(" :: ") + 4).replaceAll("\\n", "\n"));
}
