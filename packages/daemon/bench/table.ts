/** One figure: its values in the order of the runs, and its reference. */
export type Row = {
  what: string;
  unit: "ms" | "MiB" | "KiB" | "x" | "keys" | "";
  values: readonly number[];
  budget?: string;
  reference?: { what: string; values: readonly number[] };
};

/** The value below which this share of the values falls. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** A Markdown table of all rows with medians and 95th percentiles. */
export function tableOf(rows: readonly Row[]): string {
  const lines = rows.map(({ what, unit, values, budget = "", reference }) => {
    const held = reference ? `${reference.what}: ${figure(median(reference.values))}` : "";
    return `| ${what} | ${figure(median(values))} ${unit} | ${figure(quantile(values, 0.95))} | ${values.length} | ${budget} | ${held} |`;
  });
  return ["| what | p50 | p95 | n | budget | reference, same run |", "| --- | ---: | ---: | ---: | --- | --- |", ...lines].join("\n");
}

export const figure = (value: number): string => (value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2));
