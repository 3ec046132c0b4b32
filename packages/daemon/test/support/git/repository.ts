import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";

const env = {
  ...process.env,
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_AUTHOR_NAME: "Ada",
  GIT_AUTHOR_EMAIL: "ada@example.org",
  GIT_COMMITTER_NAME: "Ada",
  GIT_COMMITTER_EMAIL: "ada@example.org",
};

/** Runs the real git in a folder, and returns its output. */
export const git = (folder: string, ...args: string[]): string =>
  execFileSync("git", args, { cwd: folder, encoding: "utf8", env, stdio: ["ignore", "pipe", "pipe"] }).trimEnd();

/** Makes a folder a repository with one commit of these files. */
export function makeRepository(folder: string, files: Record<string, string> = { "a.txt": "one\n", "src/b.txt": "two\n" }): void {
  mkdirSync(folder, { recursive: true });
  git(folder, "init", "--quiet", "--initial-branch", "main");
  commitFiles(folder, files, "first");
}

export function commitFiles(folder: string, files: Record<string, string>, message: string): string {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), content);
  }
  git(folder, "add", "--all");
  git(folder, "commit", "--quiet", "--message", message);
  return git(folder, "rev-parse", "HEAD");
}
