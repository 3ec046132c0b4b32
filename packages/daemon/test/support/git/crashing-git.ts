import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

/** When the daemon is killed: before git does anything, after git has ended, or while git continues without the daemon. */
export type Moment = "before" | "after" | "during";

/**
 * A `git` for the daemon's PATH that runs the real one, and kills the daemon at one of the calls. The folder contains the count of calls
 * and the call at which it kills.
 */
export class CrashingGit implements Disposable {
  readonly folder: string;

  constructor() {
    this.folder = mkdtempSync(path.join(tmpdir(), "baton-test-git-"));
    const real = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();
    writeFileSync(path.join(this.folder, "git"), wrapper(real, this.folder));
    chmodSync(path.join(this.folder, "git"), 0o755);
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  get env(): Record<string, string> {
    return { PATH: `${this.folder}:${process.env["PATH"] ?? ""}` };
  }

  /** Starts the count. With a call, kills the daemon at it. */
  arm(moment?: Moment, call?: number): void {
    for (const name of ["count", "kill"]) rmSync(path.join(this.folder, name), { force: true });
    writeFileSync(path.join(this.folder, "count"), "");
    if (moment !== undefined && call !== undefined) writeFileSync(path.join(this.folder, "kill"), `${moment} ${call}\n`);
  }

  /** The number of calls since `arm`. */
  get calls(): number {
    const file = path.join(this.folder, "count");
    return existsSync(file) ? readFileSync(file, "utf8").length : 0;
  }
}

const wrapper = (real: string, folder: string): string => `#!/bin/bash
[ -f '${folder}/count' ] || exec '${real}' "$@"
printf x >> '${folder}/count'
read -r moment call 2> /dev/null < '${folder}/kill' || exec '${real}' "$@"
[ "$(stat -c %s '${folder}/count')" -ge "$call" ] || exec '${real}' "$@"
rm -f '${folder}/kill' '${folder}/count'
case $moment in
  before) kill -9 $PPID ;;
  after) '${real}' "$@"; kill -9 $PPID ;;
  during) kill -9 $PPID; exec '${real}' "$@" ;;
esac
`;
