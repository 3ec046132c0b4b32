import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { bubblewrap } from "../../src/system/sandbox/bubblewrap.ts";
import type { Sandbox, SandboxView } from "../../src/system/sandbox/sandbox.ts";
import { hasBubblewrap } from "../support/bubblewrap.ts";

const IN_MEMORY = "/dev/shm";

/** The view of a command, and the path in it that is exchanged after Baton has looked at it. */
const views: Record<string, { exchanged: string; view: (workspace: string) => Partial<SandboxView> }> = {
  "the workspace": { exchanged: ".", view: () => ({}) },
  "a folder above the workspace": { exchanged: "..", view: () => ({}) },
  "a folder of build results": {
    exchanged: "dist",
    view: (workspace) => ({ edits: "artifacts", changes: [path.join(workspace, "dist")] }),
  },
  "a file that may change": {
    exchanged: "notes.txt",
    view: (workspace) => ({ edits: "none", changes: [path.join(workspace, "notes.txt")] }),
  },
  "a second folder": { exchanged: "../second", view: (workspace) => ({ writable: [path.join(workspace, "../second")] }) },
  "a folder that it can read": { exchanged: "../second", view: (workspace) => ({ visible: [path.join(workspace, "../second")] }) },
  "the git folder": { exchanged: ".git", view: () => ({}) },
  "the hooks of git": { exchanged: ".git/hooks", view: () => ({}) },
  "the hooks of a nested repository": {
    exchanged: "sub/.git/hooks",
    view: (workspace) => ({ repositories: [path.join(workspace, "sub/.git")] }),
  },
  "a folder above a protected file": { exchanged: "sub", view: (workspace) => ({ readOnly: [path.join(workspace, "sub/.npmrc")] }) },
  "a protected folder": { exchanged: "sub", view: (workspace) => ({ readOnly: [path.join(workspace, "sub")] }) },
  "a folder above a hidden file": { exchanged: "sub", view: (workspace) => ({ hidden: [path.join(workspace, "sub/.npmrc")] }) },
};

describe.runIf(hasBubblewrap())("a folder is exchanged for a link between the look of Baton and the start of a command", () => {
  let root: string;
  let workspace: string;
  let outside: string;
  let sandbox: Sandbox;

  beforeEach(() => {
    root = realpathSync(mkdtempSync(path.join(tmpdir(), "baton-race-")));
    workspace = path.join(root, "project/work");
    outside = path.join(root, "outside");
    for (const folder of ["dist", "sub", "../second"]) mkdirSync(path.join(workspace, folder), { recursive: true });
    for (const folder of [workspace, path.join(workspace, "sub")]) spawnSync("git", ["init", "-q", folder]);
    for (const file of ["notes.txt", "sub/.npmrc", "dist/secret.txt"]) writeFileSync(path.join(workspace, file), "own\n");
    for (const folder of [".", "work", "sub", ".git/hooks"]) {
      mkdirSync(path.join(outside, folder), { recursive: true });
      for (const file of ["secret.txt", ".npmrc"]) writeFileSync(path.join(outside, folder, file), "OUTSIDE\n");
    }
    sandbox = bubblewrap({ folder: path.join(root, "state"), home: path.join(root, "home"), searchPath: "/usr/bin", network: false });
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  const look = (view: Partial<SandboxView>, command: string) =>
    sandbox.wrap({ file: "sh", args: ["-c", command] }, { cwd: workspace, ...view });
  const start = ({ file, args }: ReturnType<typeof look>) => spawnSync(file, [...args], { encoding: "utf8" });
  const COMMAND = `grep -rs OUTSIDE ${"$PWD/.. $PWD"} ; echo started`;

  for (const [name, { exchanged, view }] of Object.entries(views))
    for (const kind of ["relative", "absolute"] as const)
      test(`${name}, ${kind}`, () => {
        const usual = start(look(view(workspace), COMMAND));
        expect(usual).toMatchObject({ stdout: "started\n", stderr: "" });

        const program = look(view(workspace), COMMAND);
        const place = path.join(workspace, exchanged);
        renameSync(place, path.join(root, "moved"));
        const target = exchanged === "notes.txt" ? path.join(outside, "secret.txt") : outside;
        symlinkSync(kind === "absolute" ? target : path.relative(path.dirname(place), target), place);
        const raced = start(program);
        expect(raced.stdout).toBe("");
        expect(raced.status).not.toBe(0);
      });

  test.runIf(existsSync(IN_MEMORY))("a command starts in a workspace in memory, and in one with unusual characters", () => {
    for (const name of ["plain", "a b\\c\td\ne'\"$x*ü😀"]) {
      const folder = realpathSync(mkdtempSync(path.join(IN_MEMORY, "baton-")));
      try {
        mkdirSync(path.join(folder, name, "keys"), { recursive: true });
        const view = { cwd: path.join(folder, name), hidden: [path.join(folder, name, "keys")] };
        expect(start(look(view, "touch made; echo started"))).toMatchObject({ stdout: "started\n", stderr: "" });
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    }
  });

  test("while a program exchanges it again and again", async () => {
    symlinkSync("../../outside", path.join(workspace, "link"));
    const swap = `const { renameSync } = require("node:fs"); process.chdir(${JSON.stringify(workspace)});
      for (const end = Date.now() + 60_000; Date.now() < end; ) {
        for (const [from, to] of [["dist", "own"], ["link", "dist"], ["dist", "link"], ["own", "dist"]]) renameSync(from, to);
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
      }`;
    const swapping = spawn(process.execPath, ["-e", swap], { stdio: "ignore" });
    try {
      const ends = new Set<string>();
      for (let count = 0; count < 2_000 && !(count > 150 && ends.has("own") && ends.has("moved")); count++) {
        const { status, stdout } = start(look({ edits: "artifacts", changes: [path.join(workspace, "dist")] }, "cat dist/secret.txt"));
        if (stdout !== "") ends.add(stdout.trim());
        if (status === 126) ends.add("moved");
      }
      expect([...ends].sort()).toEqual(["moved", "own"]);
    } finally {
      const ended = new Promise((end) => swapping.once("exit", end));
      swapping.kill();
      await ended;
    }
  });
});
