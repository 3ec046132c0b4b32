import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

type Env = Readonly<Record<string, string | undefined>>;

/** Runs the store program to its end and returns its output. Rejects when it cannot run or reports a problem. */
export function runStoreCli(args: readonly string[], env: Env, signal: AbortSignal): Promise<unknown> {
  return new Promise((done, fail) => {
    execFile(process.execPath, [...process.execArgv, storeProgram(), ...args], { env, signal }, (error, stdout) => {
      try {
        const output = JSON.parse(stdout) as { problem?: string };
        if (output.problem === undefined) done(output);
        else fail(new Error(output.problem));
      } catch {
        fail(error ?? new Error("the store program printed nothing"));
      }
    });
  });
}

/** Beside the bundle, or beside its source. */
function storeProgram(): string {
  const [built = "", source = ""] = ["store.js", "../../store-cli.ts"].map((name) => fileURLToPath(new URL(name, import.meta.url)));
  return existsSync(built) ? built : source;
}
