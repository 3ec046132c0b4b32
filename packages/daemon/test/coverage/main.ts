import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { bundleToMeasure } from "./bundle.ts";
import { measured, type Measured } from "./measured.ts";

/**
 * Runs the scenarios of MCP with a bundle that is not minified and records which parts of it ran. The coverage of these folders must not
 * fall below `LEAST` percent.
 */
const rooms = ["packages/daemon/src/mcp", "packages/core/src/toolset"];
const LEAST = 80;

const folder = fileURLToPath(new URL("../..", import.meta.url));
const records = mkdtempSync(path.join(tmpdir(), "baton-coverage-"));
const program = await bundleToMeasure(folder);
const vitest = path.join(folder, "../../node_modules/vitest/vitest.mjs");
const { status } = spawnSync(process.execPath, [vitest, "run", "--project", "scenario", "test/mcp/"], {
  cwd: folder,
  stdio: "inherit",
  env: { ...process.env, BATON_MEASURED: program, BATON_RECORDS: records },
});
const files = await measured(records, path.join(folder, "../.."), rooms);
rmSync(records, { recursive: true });
const isEnough = tell(files);
process.exitCode = status === 0 && isEnough ? 0 : 1;

function tell(all: readonly Measured[]): boolean {
  const low = all.filter(({ lines, branches }) => share(lines) < LEAST || share(branches) < LEAST);
  for (const file of low) console.log(`  ${file.name}: ${words(file)}`);
  const sums = rooms.map((room) => sumOf(room, all));
  for (const sum of sums) console.log(`${sum.name}: ${words(sum)}`);
  const few = sums.filter(({ lines, branches }) => lines.ran === 0 || share(lines) < LEAST || share(branches) < LEAST);
  for (const { name } of few)
    console.log(`The scenarios of test/mcp reach less than ${LEAST} % of ${name}: add cases for the files named above.`);
  return few.length === 0;
}

function sumOf(room: string, all: readonly Measured[]): Measured {
  const own = all.filter(({ name }) => name.startsWith(`${room}/`));
  const add = (what: "lines" | "branches") =>
    own.reduce((sum, file) => ({ all: sum.all + file[what].all, ran: sum.ran + file[what].ran }), { all: 0, ran: 0 });
  return { name: room, lines: add("lines"), branches: add("branches") };
}

/** In percent. An empty file counts as fully run. */
function share({ all, ran }: Measured["lines"]): number {
  return all === 0 ? 100 : (ran / all) * 100;
}

function words({ lines, branches }: Measured): string {
  return `${share(lines).toFixed(1)} % of ${lines.all} lines, ${share(branches).toFixed(1)} % of ${branches.all} branches`;
}
