import { expect, test } from "vitest";
import { record } from "../harness/record.ts";
import { randomListLine, randomValueLine } from "./lines.ts";
import { stracePath } from "./strace.ts";
import { trace } from "./trace.ts";

/** So many lines on a push; a night has more, from a seed of its own. A line that was found once keeps its seed here. */
const CASES = Number(process.env["BATON_TRACED"] ?? 800);
const SEED = Number(process.env["BATON_TRACE_SEED"] ?? 1);
const KEPT_SEEDS: readonly number[] = [
  20780003665, 555001010, 555002648, 555005562, 555009574, 555009840, 555011644, 555014332, 555014736, 555015913, 555016998, 555018231,
];

test.skipIf(stracePath === undefined)(
  "a command that is allowed changes, runs, reads and connects to nothing that its verdict does not cover",
  { timeout: 60_000 + CASES * 200 },
  () => {
    const values = trace(CASES / 4, SEED, stracePath ?? "", randomValueLine);
    const lists = trace(CASES / 4, SEED, stracePath ?? "", randomListLine);
    const results = [trace(CASES, SEED, stracePath ?? ""), values, lists, ...KEPT_SEEDS.map((seed) => trace(1, seed, stracePath ?? ""))];
    const faults = results.flatMap((each) => each.faults);
    const [{ tried, allowed, deeds } = { tried: 0, allowed: 0, deeds: 0 }] = results;
    console.log(`traced: ${values.tried} lines with values, ${values.allowed} allowed and run`);
    console.log(`traced: ${lists.tried} lines with lists of names, ${lists.allowed} allowed and run`);
    console.log(
      `traced: ${tried} lines from seed ${SEED}, ${allowed} allowed and run, ${deeds} deeds, ${faults.length} beyond their verdict`,
    );
    record({ row: "trace", tried, lost: faults.length });
    expect(allowed).toBeGreaterThan(tried / 10);
    expect(deeds).toBeGreaterThan(allowed);
    expect(values.allowed).toBeGreaterThan(values.tried / 50);
    expect(faults).toEqual([]);
  },
);
