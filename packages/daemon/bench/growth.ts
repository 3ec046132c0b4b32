import { readdirSync, statSync } from "node:fs";
import path from "node:path";
import { compactStore } from "../src/store/store-maintenance.ts";
import { TestDaemon } from "../test/support/daemon.ts";
import { script } from "../test/support/script.ts";
import type { Row } from "./table.ts";

const TURNS = [1_000, 10_000] as const;
/** Turns that wait in the queue at once. */
const AHEAD = 100;

const KIB = 1024;

/** Measures the space of turns that each change a file, with ten times as many of them, and how much a deletion frees. */
export async function growth(): Promise<Row[]> {
  const rows: Row[] = [];
  const perTurn: number[] = [];
  for (const turns of TURNS) {
    await using daemon = await TestDaemon.start({ config: { permissions: { edit: "allow" } } });
    const write = (i: number) => ({ tool: "write_file", input: { path: `f${i % 20}.txt`, content: `${"a line\n".repeat(100)}${i}\n` } });
    const replies = Array.from({ length: turns }, (_, i) => [{ calls: [write(i)] }, { text: "Done." }]).flat();
    const session = await daemon.session({ model: script(daemon, replies) });
    for (let turn = 0; turn < turns; turn += AHEAD) {
      for (let i = 0; i < AHEAD; i++) await session.prompt(`change file ${turn + i}`);
      await session.untilEnd(turn + AHEAD);
    }
    perTurn.push(sizeOf(daemon.home) / turns / KIB);
    await session.api.session.delete.mutate({ sessionId: session.id, commandId: crypto.randomUUID() });
    await daemon.kill("SIGTERM");
    compactStore(path.join(daemon.home, "baton.db"), path.join(daemon.home, "blobs"));
    const what = `${turns.toLocaleString("en")} turns that each change a file`;
    rows.push({ what: `room of ${what}, per turn`, unit: "KiB", values: [perTurn.at(-1) ?? 0] });
    rows.push({
      what: `left of them after the session was deleted and the store compacted`,
      unit: "KiB",
      values: [sizeOf(daemon.home) / KIB],
    });
  }
  const [few = 1, many = 0] = perTurn;
  return [...rows, { what: "growth of the disk space per turn, 1,000 to 10,000 turns", unit: "x", values: [many / few] }];
}

/** The size of the store and its blobs, in bytes. */
function sizeOf(home: string): number {
  return readdirSync(home, { recursive: true, encoding: "utf8" })
    .filter((name) => name.startsWith("baton.db") || name.startsWith("blobs"))
    .map((name) => statSync(path.join(home, name), { throwIfNoEntry: false }))
    .reduce((sum, file) => sum + (file?.isFile() ? file.size : 0), 0);
}
