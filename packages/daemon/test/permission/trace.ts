import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { rgPath } from "@vscode/ripgrep";
import { judge, type GatedAccess } from "@baton/core/permission/judge";
import { stackLayers } from "@baton/core/permission/rule-layers";
import { plan } from "@baton/core/mode/builtin/plan";
import { rulesOfMode } from "@baton/core/mode/mode-rules";
import type { Effect, SourcedRule } from "@baton/core/protocol/rule";
import { gateCommand } from "../../src/permission/command/gate-command.ts";
import { randomLine } from "./lines.ts";
import { randomFrom } from "./nesting.ts";
import { deedsIn, straceArguments, type Deed } from "./strace.ts";

/** An action of a command that its verdict does not cover. `line` is the command, and `rules` are the rules that allowed it. */
export type Fault = { seed: number; rules: string; line: string; fault: string };

/** `deeds` is the number of actions that the tracer saw. Zero would mean that nothing was compared. */
export type Traced = { tried: number; allowed: number; deeds: number; faults: Fault[] };

const rule = (action: string, resource: string, effect: Effect): SourcedRule => ({
  action,
  resource,
  effect,
  layer: "user",
  source: "trace",
});

/**
 * Four users: one has allowed nothing, one has allowed everything except two folders, one has allowed all files except those, and one
 * has allowed nothing and works in mode `plan`.
 */
const RULES: Readonly<Record<string, readonly SourcedRule[]>> = {
  none: [],
  "all but": [rule("*", "*", "allow"), rule("read", "secrets/**", "deny"), rule("edit", "protected/**", "deny")],
  files: [rule("read", "*", "allow"), rule("edit", "*", "allow"), rule("read", "secrets/**", "deny"), rule("edit", "protected/**", "deny")],
  plan: [],
};

/** The users who may be chosen for a line, and the files that the folder does not have. */
export type Setting = { users: readonly string[]; without: readonly string[] };
export const USUAL: Setting = { users: ["none", "all but"], without: [] };
/** For lines that pass on names. With an odd name in the folder, the gate would ask about every list. */
export const PASSING: Setting = { users: ["none", "all but", "files"], without: ["a b.txt"] };
/** For lines of every day. In mode `plan` they change nothing, whatever their verdict names. */
export const PLANNING: Setting = { users: ["plan", "plan", "files", "all but"], without: ["a b.txt"] };

const AT_ONCE = 100;

/** The texts of the files that the second and the third user deny, and of those outside. */
const SECRET = "x of secrets";
const OUTSIDE = "x of outside";

/** Root may delete `/dev/null`, and a line that the second user allows could do so. So the lines run without root's privileges. */
const NOBODY = 65_534;
const asNobody = process.getuid?.() === 0;

/** Judges lines that are generated from a seed, runs the allowed ones in a separate folder, and compares. */
export function trace(cases: number, seed: number, strace: string, makeLine = randomLine, setting: Setting = USUAL): Traced {
  const { without } = setting;
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), "baton-trace-")));
  const result: Traced = { tried: 0, allowed: 0, deeds: 0, faults: [] };
  chmodSync(root, 0o755);
  try {
    const template = makeTemplate(path.join(root, "template"));
    for (const name of without) rmSync(path.join(template, "work", name));
    const bin = path.join(root, "bin");
    mkdirSync(bin);
    copyFileSync(rgPath, path.join(bin, "rg"));
    const searched = `/usr/local/bin:/usr/bin:/bin:${bin}`;
    const available = programsOf(searched);
    for (let from = 0; from < cases; from += AT_ONCE) {
      const part = path.join(root, `part-${from}`);
      const allowed = Array.from({ length: Math.min(AT_ONCE, cases - from) }, (_, i) => seed + from + i).flatMap((each) =>
        allowedLine(each, available, template, path.join(part, String(each)), makeLine, setting),
      );
      result.tried += Math.min(AT_ONCE, cases - from);
      result.allowed += allowed.length;
      const { deeds, faults } = compared(allowed, part, strace, searched);
      result.deeds += deeds;
      result.faults.push(...faults);
      rmSync(part, { recursive: true, force: true });
    }
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
  return result;
}

type Case = { seed: number; rules: string; line: string; folder: string; gated: readonly GatedAccess[] };

function allowedLine(
  seed: number,
  available: ReadonlySet<string>,
  template: string,
  at: string,
  makeLine: typeof randomLine,
  { users }: Setting,
): Case[] {
  const random = randomFrom(seed * 7919 + 17);
  for (let i = 0; i < 5; i++) random(2); // the first numbers of neighbouring seeds are similar
  const line = makeLine(random, available);
  const rules = users[random(users.length)] ?? "none";
  if (judged(line, rules, template).effect !== "allow") return [];
  cpSync(template, at, { recursive: true, verbatimSymlinks: true });
  const { effect, folder, gated } = judged(line, rules, at);
  return effect === "allow" ? [{ seed, rules, line, folder, gated }] : [];
}

function judged(line: string, rules: string, at: string): { effect: Effect; folder: string; gated: readonly GatedAccess[] } {
  const folder = path.join(at, "work");
  const gated = gateCommand(line, { workspace: folder, ownRoots: [], trusted: true, home: path.join(at, "home") });
  const set = stackLayers({
    mode: rules === "plan" ? rulesOfMode(plan) : { rules: [], ceilings: [] },
    user: RULES[rules] ?? [],
    workspace: [],
    session: [],
  });
  return { ...judge({ ...set, workspace: folder }, "run_command", gated), folder, gated };
}

function compared(cases: readonly Case[], part: string, strace: string, searched: string): { deeds: number; faults: Fault[] } {
  if (cases.length === 0) return { deeds: 0, faults: [] };
  const script = cases.map(({ seed, line, folder }) => {
    const text = path.join(part, `${seed}.sh`);
    writeFileSync(text, line);
    return `( cd ${folder} && HOME=${path.dirname(folder)}/home exec timeout -k 1 3 bash --norc --noprofile -c "$(<${text})" ) </dev/null 2>&1 | head -c 50000 >${text}.out`;
  });
  const runner = path.join(part, "run.sh");
  writeFileSync(runner, `${script.join("\n")}\n`);
  const log = path.join(part, "log.txt");
  if (asNobody) spawnSync("chown", ["-R", `${NOBODY}:${NOBODY}`, part]);
  spawnSync(strace, straceArguments(log, ["bash", "--norc", runner]), {
    ...(asNobody ? { uid: NOBODY, gid: NOBODY } : {}),
    env: { PATH: searched, LC_ALL: "C", GIT_CONFIG_NOSYSTEM: "1" },
    stdio: "ignore",
    timeout: 300_000,
  });
  const deeds = deedsIn(existsSync(log) ? readFileSync(log, "latin1") : "", new Set(cases.map(({ folder }) => folder)));
  const faults = cases.flatMap((each) => {
    const own = deeds.get(each.folder) ?? [];
    const printed = readFileSync(path.join(part, `${each.seed}.sh.out`), { encoding: "latin1", flag: "a+" });
    const found = new Set([...own.map((deed) => faultOf(deed, each)), printedFault(printed, each)].filter((fault) => fault !== undefined));
    return [...found].map((fault) => ({ seed: each.seed, rules: each.rules, line: each.line, fault }));
  });
  return { deeds: [...deeds.values()].flat().length, faults };
}

/** Why the verdict does not cover the output; undefined if it does. */
function printedFault(printed: string, { rules }: Case): string | undefined {
  if (DENYING.has(rules) && printed.includes(SECRET)) return "prints a denied file";
  return rules !== "all but" && printed.includes(OUTSIDE) ? "prints a file outside" : undefined;
}

/** The users who deny the reads of `secrets`. */
const DENYING: ReadonlySet<string> = new Set(["all but", "files"]);

/** Why the verdict does not cover an action; undefined if it does. */
function faultOf({ kind, path: named }: Deed, { folder, gated, rules }: Case): string | undefined {
  const file = kind === "connect" ? named : realOf(named);
  if (kind === "read" && statSync(file, { throwIfNoEntry: false })?.isDirectory()) return undefined; // opened, but not read
  const isIn = (name: string) => file.startsWith(`${path.join(folder, name)}/`);
  switch (kind) {
    case "connect":
      return rules !== "all but" && /AF_INET/.test(named) ? `connects: ${named.slice(0, 80)}` : undefined;
    case "exec":
      return file.startsWith(folder) && !runsOwn(file, folder, gated) ? `runs ${path.relative(folder, file)}` : undefined;
    case "read":
      if (gated.some(({ action, resource }) => action === "command" && LOOKING.test(resource))) return undefined;
      if (DENYING.has(rules) && isIn("secrets")) return `reads ${path.relative(folder, file)}`;
      return rules !== "all but" && isIn("../outside") ? `reads ${path.relative(folder, file)}` : undefined;
    case "write":
      if (
        /^\/(dev|proc)\//.test(file) ||
        path.dirname(file) === tmpdir() ||
        TEMPORARY.test(file) ||
        /^(pipe|socket|anon_inode):/.test(named)
      )
        return undefined;
      if (rules === "plan") return `changes ${path.relative(folder, file)} in mode plan`;
      if (rules === "all but" && DATA.test(file)) return undefined;
      if (rules !== "none" && isIn("protected")) return `changes ${path.relative(folder, file)}`;
      return isNamed(file, folder, gated) || gated.some(({ action, resource }) => action === "command" && OWN.test(resource))
        ? undefined
        : `changes ${path.relative(folder, file)}, which is not named`;
  }
}

/** They open files without printing their content: git compares them with its index, and df reads the size of their disk. */
const LOOKING = /^(git|df)( |$)/;

/** Files that a program makes beside another one and renames, and git's caches of comparisons. */
const TEMPORARY = /\/(sed\w{6}|zi\w{6}|Cu\w{6}|\w+\.o\w{6})$|\/\.git\/index(\.lock)*$/;
/** The data of git, which its commands change as the user allowed. */
const DATA = /\/\.git\/(objects|refs|logs|next-index-|lost-found|COMMIT_EDITMSG|HEAD|FETCH_HEAD|ORIG_HEAD|packed-refs)/;

/** A program in the folder may do anything, under its own name. */
const OWN = /^(\.|src)\/(nice|timeout|hidden)( |$)/;

/** Whether a command access names this program in the folder. */
const runsOwn = (file: string, folder: string, gated: readonly GatedAccess[]): boolean =>
  gated.some(({ action, resource }) => action === "command" && path.resolve(folder, resource.split(" ")[0] ?? "") === file);

/** Whether an access covers a change of the file, or of a folder that contains it. */
const isNamed = (file: string, folder: string, gated: readonly GatedAccess[]): boolean =>
  gated.some(({ action, resource }) => {
    const place = path.resolve(folder, resource);
    const made = behind(file);
    const isAbove = realOf(place).startsWith(`${file}/`) && statSync(file, { throwIfNoEntry: false })?.isDirectory(); // by mkdir -p
    return action === "edit" && (isAbove || [file, made].some((each) => each === place || each.startsWith(`${place}/`)));
  });

const behind = (file: string): string => (existsSync(file) ? realpathSync(file) : file);

/** Follows links in front of the name, as far as they still exist. `..` behind a link is the parent of its target. */
function realOf(file: string): string {
  const folder = path.dirname(file);
  return existsSync(folder) ? path.join(realpathSync.native(folder), path.basename(file)) : path.resolve(file);
}

function makeTemplate(at: string): string {
  const files =
    "README.md src/a.ts src/b.ts src/in/c.ts secrets/db.txt secrets/deep/key.txt secrets/.hidden.txt protected/x.txt protected/.env sub/y.lock";
  for (const file of files.split(" ")) {
    mkdirSync(path.dirname(path.join(at, "work", file)), { recursive: true });
    writeFileSync(path.join(at, "work", file), file.startsWith("secrets/") ? `${SECRET}\n` : "x\n");
  }
  writeFileSync(path.join(at, "work", "a b.txt"), "x\n");
  for (const name of ["nice", "timeout", "hidden"]) writeFileSync(path.join(at, "work", name), "#!/bin/sh\ntouch ran\n", { mode: 0o755 });
  writeFileSync(path.join(at, "work/src/timeout"), "#!/bin/sh\ntouch ran\n", { mode: 0o755 });
  writeFileSync(path.join(at, "work", "pic.bin"), Buffer.from([0x89, 0, 0x78, 10, 0xff, 0x78, 10]));
  mkdirSync(path.join(at, "outside"));
  mkdirSync(path.join(at, "home"));
  writeFileSync(path.join(at, "outside/outside.txt"), `${OUTSIDE}\n`);
  symlinkSync("src", path.join(at, "work/link"));
  symlinkSync("src/in", path.join(at, "work/up")); // `..` behind it is another folder than the one that it is in
  // Output that is not what it seems could name one of these: a further number, the title of `head -v`, or a line with its number.
  for (const name of ["2", "standard", "1:README.md"]) symlinkSync("../outside/outside.txt", path.join(at, "work", name));
  symlinkSync("../outside", path.join(at, "work/outlink"));
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], { cwd: path.join(at, "work"), stdio: "ignore" });
  git("init", "-q", "--template=");
  git("add", "-A");
  git("commit", "-qm", "all");
  return at;
}

function programsOf(searched: string): Set<string> {
  const { stdout } = spawnSync("bash", ["-c", "compgen -c"], { encoding: "utf8", env: { PATH: searched } });
  return new Set(stdout.split("\n").filter((name) => name !== ""));
}
