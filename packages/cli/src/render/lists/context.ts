import { contextSourceTitles, sumBySource, type ContextItem, type ContextReport } from "@baton/core/session/context/context-sources";
import { formatNumber } from "@baton/core/text/format";
import { oneLine } from "@baton/core/text/sanitize";
import { contentWidth, fitToWidth, truncate, type TerminalStyle } from "../layout.ts";

/** How many items of a source are shown. */
const MAX_ITEMS = 8;
const NAME = 34;

/** The contents of the context, by source, the largest items of each first. */
export function contextLines(report: ContextReport, style: TerminalStyle): string[] {
  const { ansi } = style;
  const { items, window, tokens, counted } = report;
  const share = (part: number) => `${((100 * part) / (window ?? tokens)).toFixed(1)} %`.padStart(8);
  const line = (name: string, size: number) => `${fitToWidth(truncate(name, NAME), NAME)} ${formatNumber(size).padStart(9)} ${share(size)}`;
  return [
    ...headLines(report),
    "",
    ...sumBySource(items).flatMap(({ source, tokens: sum }) => {
      const own = items.filter((item) => item.source === source).toSorted((a, b) => b.tokens - a.tokens);
      const rest = own.slice(MAX_ITEMS);
      return [
        ansi.bold(line(contextSourceTitles[source], sum)),
        ...own.slice(0, MAX_ITEMS).map((item) => ansi.dim(line(`  ${itemName(item)}`, item.tokens))),
        ...(rest.length === 0 ? [] : [ansi.dim(line(`  ${rest.length} more`, sumOf(rest)))]),
      ];
    }),
    ...(window === undefined ? [] : [line("Free", Math.max(0, window - (counted ?? tokens)))]),
  ].map((each) => truncate(each, contentWidth(style)));
}

function headLines({ model, window, compactsAt, counted, tokens, environment }: ContextReport): string[] {
  const size = counted ?? tokens;
  const whole = window === undefined ? "" : ` of ${formatNumber(window)} tokens, ${((100 * size) / window).toFixed(1)} %`;
  const compacts = compactsAt === undefined ? "" : `; compacted from ${formatNumber(compactsAt)}`;
  return [
    `${model ?? "no model"}: ${formatNumber(size)}${window === undefined ? " tokens, the context window is unknown" : whole}${compacts}`,
    counted === undefined
      ? "All sizes are estimates, because the provider has not counted this conversation yet."
      : `The provider counted the total. The sizes below are estimates; their sum is ${formatNumber(tokens)}.`,
    ...(environment ? [`Commands have the environment of ${environment.join(", ")}.`] : []),
  ];
}

const itemName = ({ name, count }: ContextItem): string => `${oneLine(name)}${count === undefined ? "" : ` (${count})`}`;

const sumOf = (items: readonly ContextItem[]): number => items.reduce((sum, { tokens }) => sum + tokens, 0);
