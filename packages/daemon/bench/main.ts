import { mkdtempSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import path from "node:path";
import { codeIndex } from "./code-index.ts";
import { flood } from "./flood.ts";
import { gate } from "./gate.ts";
import { growth } from "./growth.ts";
import { beside, calls } from "./mcp.ts";
import { opening, rawInsert } from "./long.ts";
import { hooks } from "./hooks.ts";
import { sandbox } from "./sandbox.ts";
import { places } from "./places.ts";
import { prime } from "./prime.ts";
import { report } from "./report.ts";
import { scale } from "./scale.ts";
import { search } from "./search.ts";
import { start } from "./start.ts";
import { steps } from "./steps.ts";
import type { Row } from "./table.ts";
import { streaming, waiting } from "./waiting.ts";

/** Measures the rows of the budget table on this machine, each beside a reference from the same run. */
const folder = mkdtempSync(path.join(tmpdir(), "baton-bench-"));
const raw = await rawInsert(folder);
rmSync(folder, { recursive: true });
const began = loadavg();
await prime();
const rows: Row[] = [
  { what: "raw insert of one row, on disk", unit: "ms", values: raw },
  ...(await start()),
  ...(await steps()),
  ...(await waiting()),
  ...(await calls()),
  ...(await beside()),
  await streaming(1, { count: 400, everyMs: 5 }, "0.6 / 1.5 ms"),
  await streaming(100, { count: 100, everyMs: 20 }, "p95 20 ms"),
  await opening(10_000, "100 ms"),
  await opening(100_000, "200 ms"),
  ...(await flood()),
  ...(await scale()),
  ...(await growth()),
  ...(await search()),
  ...(await codeIndex()),
  ...(await hooks()),
  ...(await sandbox()),
  ...(await places()),
  ...gate(),
];
process.stdout.write(report(rows, began));
