import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { cpus, loadavg, release, totalmem } from "node:os";
import { fileURLToPath } from "node:url";
import { figure, median, quantile, type Row } from "./table.ts";

/** A row as stored for the next run: figures in its unit, and `times`, the multiple of its reference. */
type Kept = { what: string; p50: number; times?: number };
type Report = { date: string; machine: string; rows: Kept[] };

const lastRunFile = fileURLToPath(new URL("last.json", import.meta.url));
const page = fileURLToPath(new URL("../../../docs/reports/benchmarks.md", import.meta.url));

/**
 * `loadBefore`: the load averages of the system at the start. Writes `docs/reports/benchmarks.md` with each figure beside that of the
 * last committed run, and stores the figures for the next one.
 */
export function report(rows: readonly Row[], loadBefore: readonly number[]): string {
  const before = existsSync(lastRunFile) ? (JSON.parse(readFileSync(lastRunFile, "utf8")) as Report) : undefined;
  const date = new Date().toISOString().slice(0, 10);
  const machine = `${cpus()[0]?.model ?? "unknown processor"}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, ${process.platform} ${release()}, Node ${process.versions.node}`;
  const now: Report = { date, machine, rows: rows.map(keptOf) };
  const text = pageOf(now, comparing(rows, before), { before, load: [loadBefore, loadavg()] });
  writeFileSync(page, text);
  writeFileSync(lastRunFile, `${JSON.stringify(now, undefined, 1)}\n`);
  return text;
}

const keptOf = ({ what, values, reference }: Row): Kept => ({
  what,
  p50: rounded(median(values)),
  ...(reference ? { times: rounded(median(values) / median(reference.values)) } : {}),
});

/** The last value of a row: as a multiple of its reference if there is one, because the machine may have been busier. */
function changeOf(row: Row, before: Report | undefined): string {
  const [now, then] = [keptOf(row), before?.rows.find(({ what }) => what === row.what)];
  if (!then) return "new";
  const change = now.times !== undefined && then.times !== undefined ? now.times / then.times : now.p50 / then.p50;
  return `${change >= 1 ? "+" : "−"}${Math.abs((change - 1) * 100).toFixed(0)} %`;
}

function comparing(rows: readonly Row[], before: Report | undefined): string {
  const lines = rows.map((row) => {
    const { what, unit, values, budget = "", reference } = row;
    const spread = values.length > 2 ? `${figure(quantile(values, 0.25))} to ${figure(quantile(values, 0.75))}` : "";
    const p95 = values.length > 2 ? figure(quantile(values, 0.95)) : "";
    const held = reference
      ? `${reference.what} ${figure(median(reference.values))}, so ${figure(median(values) / median(reference.values))} ×`
      : "";
    return `| ${what} | ${figure(median(values))} ${unit} | ${spread} | ${p95} | ${values.length} | ${budget} | ${held} | ${changeOf(row, before)} |`;
  });
  return [
    "| what | median | middle half | p95 | n | budget | reference, same run | change |",
    "| --- | ---: | ---: | ---: | ---: | --- | --- | ---: |",
    ...lines,
  ].join("\n");
}

type Circumstances = { before: Report | undefined; load: readonly (readonly number[])[] };

const pageOf = ({ date, machine }: Report, table: string, { before, load }: Circumstances): string => `# Benchmarks

\`npm run bench\` wrote this page on ${date}: ${machine}. It measures real processes over real sockets, with a model on loopback that answers
at once. The budgets apply to a quiet machine with two cores. On a busy machine, compare a figure with its reference, which was measured in the
same minutes. The load of the machine (runnable programs, average of a minute) was ${load.map(([minute = 0]) => minute.toFixed(1)).join(" at the start and ")} at the end.${load.some(([minute = 0]) => minute > cpus().length) ? BUSY : ""}

${table}

\`change\` compares with the previously committed figures${before ? ` (${before.date})` : ""}, as multiples of the reference if there is one.
`;

const BUSY =
  " The machine was busy: times are a multiple of\nthose on a quiet machine, and some references ran under another load. Sizes, growth and counts are valid.";

const rounded = (value: number): number => Number(value.toPrecision(4));
