import { spawnSync } from "node:child_process";
import { gitTables } from "../../src/permission/command/tables/git.ts";
import { readers } from "../../src/permission/command/tables/readers.ts";
import { writers } from "../../src/permission/command/tables/writers.ts";
import { OPERANDS, SAMPLES, type Random } from "./lines.ts";

/** Programs that wait, stop other programs, fill a disk or open a screen. */
const LEFT_OUT =
  /^(sleep|yes|top|watch|tail|less|more|w|who|tty|kill|ssh|scp|sftp|docker|mount|mvn|npm|bun|deno|cargo|go|pip|gradle|osascript|man|shred|dotnet|Rscript)$/;

const VALUES =
  "secrets/db.txt out.txt ./hidden protected/x.txt protected/new 1 @README.md src x . outlink '|./hidden' - a=secrets/db.txt secrets '!./hidden' outlink/outside.txt file:out.txt ../outside/outside.txt".split(
    " ",
  );

const known = new Map<string, readonly string[]>();

/** The options that the manual of a program and its own help name, including those that no table of the gate has. */
function optionsOf(name: string): readonly string[] {
  const before = known.get(name);
  if (before) return before;
  const help = name.startsWith("git ") ? `${name} -h` : `${name} --help`;
  const { stdout } = spawnSync("timeout", ["5", "bash", "-c", `man -P cat ${name.replace(" ", "-")} 2>/dev/null | col -b; ${help} 2>&1`], {
    encoding: "utf8",
    input: "",
    env: { PATH: "/usr/local/bin:/usr/bin:/bin", MANWIDTH: "200" },
  });
  const options = [...new Set([...stdout.matchAll(/(?<![\w-])--?[A-Za-z0-9#][\w-]{0,38}/g)].map(([option]) => option))];
  known.set(name, options);
  return options;
}

const programs = [...Object.keys(readers), ...Object.keys(writers), ...Object.keys(SAMPLES)].filter((name) => /^[\w.-]+$/.test(name));
/** All but `git init`, which creates its own folder. */
const verbs = [...new Set(Object.keys(gitTables).map((name) => `git ${name.split(" ")[0]}`))].filter((verb) => verb !== "git init");

/** A program with one or two of its own options: in full, shortened, negated, in a cluster, with a value, and behind the operands. */
export function randomOptionLine(random: Random, available: ReadonlySet<string>): string {
  const pick = <T>(list: readonly T[]): T => list[random(list.length)] as T; // no list here is empty
  const there = programs.filter((name) => available.has(name) && !LEFT_OUT.test(name));
  const name = random(3) === 0 ? pick(verbs) : pick(there);
  const options = optionsOf(name);
  const letters = options.filter((option) => /^-\w$/.test(option));
  const spelled = (): string => {
    const option = options.length === 0 ? "-x" : pick(options);
    const value = pick(VALUES);
    if (!option.startsWith("--")) {
      const cluster = letters.length > 0 && random(3) === 0 ? `${pick(letters)}${option.slice(1)}` : option;
      return pick([cluster, cluster, `${cluster} ${value}`, `${cluster}${value}`, `${cluster}=${value}`]);
    }
    const short = random(4) === 0 ? option.slice(0, Math.max(4, option.length - 1 - random(5))) : option;
    return pick([short, short, `${short}=${value}`, `${short} ${value}`, option.replace("--", "--no-")]);
  };
  const samples = SAMPLES[name.split(" ")[0] === "git" ? "" : name];
  const first = samples ? pick(samples) : "";
  const own = Array.from({ length: 1 + random(2) }, spelled);
  const words = pick([
    [...own, first, pick(OPERANDS)],
    [first, ...own, pick(OPERANDS)],
    [first, pick(OPERANDS), ...own],
    [first, ...own, "--", pick(OPERANDS)],
  ]);
  return [...(random(8) === 0 ? ["cat README.md |"] : []), name, ...words].filter((word) => word !== "").join(" ");
}
