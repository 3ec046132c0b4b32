import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { formatCount } from "@baton/core/text/format";
import { batonPaths } from "@baton/daemon/client";
import { usageError } from "../../connection/exit-codes.ts";

/** The ids of the requests that `baton inbox` printed, and the shell (our parent process) that printed them. */
type SavedNumbers = { shell: number; ids: readonly string[] };

const numbersFile = (): string => path.join(batonPaths(process.env).state, "inbox-numbers.json");

/** Remembers which number each request had. The next inbox may number other requests. */
export function saveInboxNumbers(ids: readonly string[]): void {
  const saved: SavedNumbers = { shell: process.ppid, ids };
  writeFileSync(numbersFile(), `${JSON.stringify(saved)}\n`, { mode: 0o600 });
}

/**
 * The id of the request that had this number when this shell last printed the inbox. Throws a usage error if there is none.
 */
export function inboxIdByNumber(n: number): string {
  const { shell, ids } = read();
  const id = ids[n - 1];
  if (shell !== process.ppid) throw usageError("Numbers refer to the inbox last printed in this shell. Run `baton inbox`, or give the id.");
  if (id === undefined) throw usageError(`The inbox last printed had ${formatCount(ids.length, "request")}. Run \`baton inbox\` again.`);
  return id;
}

function read(): SavedNumbers {
  try {
    return JSON.parse(readFileSync(numbersFile(), "utf8")) as SavedNumbers; // only this file writes it
  } catch {
    return { shell: 0, ids: [] }; // no inbox was printed yet
  }
}
