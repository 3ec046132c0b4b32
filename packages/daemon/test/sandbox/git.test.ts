import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { limitedFiles } from "../../src/permission/limited-files.ts";
import { artifactsAmong } from "../../src/system/sandbox/artifact-folders.ts";
import { bubblewrap } from "../../src/system/sandbox/bubblewrap.ts";
import { newProtectedFiles, protectedFiles } from "../../src/system/sandbox/new-protected-files.ts";
import type { SandboxEdits } from "../../src/system/sandbox/sandbox.ts";
import { hasBubblewrap } from "../support/bubblewrap.ts";

let root: string;
let workspace: string;
let home: string;

beforeEach(() => {
  root = realpathSync(mkdtempSync(path.join(tmpdir(), "baton-sandbox-git-")));
  [workspace, home] = [path.join(root, "work"), path.join(root, "user")];
  mkdirSync(workspace);
  mkdirSync(path.join(home, ".ssh"), { recursive: true });
  for (const name of ["config", "hooks", "id_rsa"]) writeFileSync(path.join(home, ".ssh", name), "secret\n");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** Runs a script inside with the limits that Baton finds in the workspace. Returns its output. */
function inside(
  script: string,
  { edits = "all", searchPath = "/usr/bin:/bin" }: { edits?: SandboxEdits; searchPath?: string } = {},
): string {
  const cwd = workspace;
  const sandbox = bubblewrap({ folder: path.join(root, "state"), home, searchPath, network: false });
  const limits = limitedFiles(cwd, [], { reads: false, edits: false, mayRead: () => false, mayEdit: () => false });
  const { file, args } = sandbox.wrap(
    { file: "/bin/bash", args: ["-c", script] },
    { cwd, edits, changes: edits === "artifacts" ? artifactsAmong(cwd, limits.folders) : [], ...limits },
  );
  const env = { PATH: "/usr/bin:/bin", HOME: home, ROOT: root, TMPDIR: path.join(root, "missing") };
  const { stdout, stderr } = spawnSync(file, args, { cwd, encoding: "utf8", env });
  return `${stdout}${stderr}`;
}

const repository = (folder: string): void => void spawnSync("git", ["init", "-q", folder]);

describe.runIf(hasBubblewrap())("git in the sandbox", () => {
  test("a link in a git folder does not lead out of the workspace", () => {
    const names = ["", "/hooks", "/worktrees/x", "/modules", "/modules/a/b/config"];
    for (const name of names) {
      const target = path.relative(path.dirname(path.join(workspace, `.git${name}`)), path.join(home, ".ssh"));
      inside(
        `mkdir -p ~/.ssh .git/modules/x; touch ~/.ssh/{config,hooks,id_rsa} .git/modules/x/HEAD; mkdir -p $(dirname .git${name}); rm -rf .git${name}; ln -s ${target}${name.endsWith("config") ? "/config" : ""} .git${name}`,
      );
      const output = inside("for f in $(find -L .git ~/.ssh); do cat $f; echo evil > $f/evil; done 2>/dev/null; echo end");
      expect([name, output]).toEqual([name, expect.stringMatching(/^(?![^]*secret)[^]*end\n$/)]);
      expect(existsSync(path.join(home, ".ssh/evil"))).toBe(false);
      rmSync(path.join(workspace, ".git"), { recursive: true });
    }
  });

  test("what git executes is read-only in every repository below the workspace, and commits still work", () => {
    const folders = ["", "one", "deep/er/two", "dist/three"];
    for (const folder of folders) repository(path.join(workspace, folder));
    rmSync(path.join(workspace, "one/.git/hooks"), { recursive: true });
    const modules = ["a", "vendor/lib", "vendor/lib/modules/inner/most"].map((name) => path.join(workspace, ".git/modules", name));
    for (const each of modules) spawnSync("git", ["init", "-q", "--bare", each]);
    mkdirSync(path.join(workspace, "sub"));
    writeFileSync(path.join(workspace, "sub/.git"), "gitdir: ../.git/modules/a\n");
    const gits = [...folders.map((folder) => path.join(workspace, folder, ".git")), ...modules];
    for (const edits of ["all", "artifacts", "none"] as const) {
      inside(
        gits
          .map((git) => `echo evil >> ${git}/config; mkdir -p ${git}/hooks; echo evil > ${git}/hooks/pre-commit; mv ${git}/hooks ${git}/h2`)
          .concat("echo gitdir: evil > sub/.git; rm -f sub/.git")
          .join("\n"),
        { edits },
      );
      const evil = gits.filter(
        (git) => readFileSync(path.join(git, "config"), "utf8").includes("evil") || existsSync(path.join(git, "hooks/pre-commit")),
      );
      expect(evil).toEqual([]);
      expect(readFileSync(path.join(workspace, "sub/.git"), "utf8")).toBe("gitdir: ../.git/modules/a\n");
    }
    const commit = (folder: string) =>
      `git -C ./${folder} -c user.name=a -c user.email=b@c.d commit -qm first --allow-empty && echo committed`;
    expect(inside(folders.map(commit).join("\n"))).toBe("committed\n".repeat(folders.length));
  });

  test("a list of a rebase with commands that git would run later is named, and one without is not", () => {
    repository(workspace);
    repository(path.join(workspace, "below"));
    const commit = "git -c user.name=a -c user.email=b@c.d commit -qm first --allow-empty";
    inside(`${commit}; git worktree add -q ../tree`);
    mkdirSync(path.join(workspace, ".git/worktrees/tree"), { recursive: true });
    const view = () => ({
      cwd: workspace,
      ...limitedFiles(workspace, [], { reads: false, edits: false, mayRead: () => false, mayEdit: () => false }),
    });
    const lines = {
      "pick 1a2b": false,
      "pick 1a2b\nexec ./evil": true,
      " x make": true,
      "# exec nothing\npick exec": false,
      "reword exec x": false,
    };
    for (const git of [".git", "below/.git", ".git/worktrees/tree"])
      for (const [list, isNamed] of Object.entries(lines)) {
        const file = path.join(workspace, git, "rebase-merge/git-rebase-todo");
        const before = protectedFiles(view());
        mkdirSync(path.dirname(file), { recursive: true });
        writeFileSync(file, `${list}\n`);
        expect([git, list, newProtectedFiles(before, view())]).toEqual([git, list, isNamed ? [file] : []]);
        rmSync(path.dirname(file), { recursive: true });
      }
  });

  test("in a repository without hooks, a command runs in every mode", () => {
    repository(workspace);
    rmSync(path.join(workspace, ".git/hooks"), { recursive: true });
    for (const edits of ["none", "artifacts", "all"] as const) expect(inside("echo ran", { edits })).toBe("ran\n");
  });

  test("commands that may change less leave nothing for those that may change more", () => {
    inside("echo evil > ~/.profile; echo evil > /tmp/x", { edits: "none" });
    inside("echo evil > ~/.zshrc; echo evil > /tmp/y", { edits: "artifacts" });
    expect(inside("rm $(mktemp)", { edits: "none" })).toBe("");
    expect(inside("cat ~/.profile ~/.zshrc /tmp/x /tmp/y 2>/dev/null; echo end")).toBe("end\n");
  });

  test("a folder of programs shows its libraries, and no project or home folder around it", () => {
    const files = [
      "tool/lib/a",
      "tool/bin/a",
      "versions/libexec/a",
      "versions/shims/a",
      "user/.local/bin/a",
      "user/.local/share/keyrings/a",
      "user/.local/share/uv/credentials/a",
      "user/.local/share/uv/python/a",
      "project/.git/a",
      "project/lib/a",
      "project/bin/a",
      "other/.ssh/a",
      "other/share/a",
      "other/bin/a",
    ];
    for (const file of [...files.map((each) => path.join(root, each)), path.join(home, "bin/a")]) {
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, "");
    }
    spawnSync("ln", ["-s", home, path.join(root, "link")]);
    const folders = [
      "tool/bin",
      "versions/shims",
      "user/.local/bin",
      "project/bin",
      "other/bin",
      "user/bin",
      "link/bin",
      "link",
      "user",
      "missing/bin",
    ];
    const searchPath = [...folders.map((each) => path.join(root, each)), "/", "relative", ".", ""].join(":");
    const shown = inside("cd $ROOT; find . -name a | sort; ls ~/.ssh", { searchPath });
    expect(shown.split("\n").filter((line) => line.startsWith("./"))).toEqual([
      ...(shown.includes("./link/bin/a") ? ["./link/bin/a"] : []),
      "./other/bin/a",
      "./project/bin/a",
      "./tool/bin/a",
      "./tool/lib/a",
      "./user/.local/bin/a",
      "./user/.local/share/uv/python/a",
      "./user/bin/a",
      "./versions/libexec/a",
      "./versions/shims/a",
    ]);
  });
});
