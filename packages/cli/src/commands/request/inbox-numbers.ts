import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { batonPaths } from "@baton/daemon/client";
import { usage } from "../../connection/exit-codes.ts";

/** Which request had which number, and in which shell (the process that started us) somebody read it. */
type Shown = { shell: number; ids: readonly string[] };

const fileOf = (): string => path.join(batonPaths(process.env).state, "inbox-numbers.json");

/** Remembers the numbers that an inbox was printed with: by the next answer other requests may stand in their places. */
export function saveInboxNumbers(ids: readonly string[]): void {
  const shown: Shown = { shell: process.ppid, ids };
  writeFileSync(fileOf(), `${JSON.stringify(shown)}\n`, { mode: 0o600 });
}

/** The id that had this number when the inbox was last printed in this shell. Throws what a person reads where none had. */
export function inboxIdByNumber(n: number): string {
  const { shell, ids } = read();
  const id = ids[n - 1];
  if (shell !== process.ppid) throw usage("A number is that of the inbox printed last in this shell. Call `baton inbox`, or give the id.");
  if (id === undefined) throw usage(`The inbox printed last had ${ids.length} requests. Call \`baton inbox\` again.`);
  return id;
}

function read(): Shown {
  try {
    return JSON.parse(readFileSync(fileOf(), "utf8")) as Shown; // written by nobody but us
  } catch {
    return { shell: 0, ids: [] }; // none was printed yet
  }
}
