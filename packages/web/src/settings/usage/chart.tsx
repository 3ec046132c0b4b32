import { formatTokens } from "@baton/core/text/format";
import { useLayoutEffect, useRef, useState } from "react";
import type { Unit } from "./format-amount.ts";
import { chartLayout, type Bar, type ChartDay, longDay, shortDay, seriesColorClass } from "./chart-layout.ts";

/** One bar per day. The table below has the same data for screen readers. */
export function Chart({ days, unit }: { days: readonly ChartDay[]; unit: Unit }) {
  const { box, width } = useWidth();
  const { height, left, bars, ticks, figures } = chartLayout(days, width);
  return (
    <figure ref={box} className="days">
      {width === 0 ? undefined : (
        <svg className="chart" width={width} height={height} role="img" aria-label={chartSummary(bars, unit)}>
          {ticks.map(({ value, y }) => (
            <g key={value}>
              <line x1={left - 4} x2={width} y1={y} y2={y} />
              <text x={left - 10} y={y + 4} textAnchor="end">
                {onAxis(value, unit)}
              </text>
            </g>
          ))}
          {bars.map((bar) => (
            <g key={bar.day}>
              <title>{`${longDay(bar.day)}: ${formatFigure(bar.total, unit)}`}</title>
              {bar.parts.map(({ series, y, height: high }) => (
                <rect
                  key={series}
                  className={seriesColorClass(series)}
                  x={bar.x}
                  y={y}
                  width={bar.width}
                  height={high}
                  rx={bar.width > 8 ? 1 : 0}
                />
              ))}
              {figures && bar.total > 0 ? (
                <text className="v" x={bar.x + bar.width / 2} y={bar.top - 6} textAnchor="middle">
                  {formatFigure(bar.total, unit)}
                </text>
              ) : undefined}
              {bar.label ? (
                <text x={bar.label.x} y={height - 8} textAnchor={bar.label.anchor}>
                  {shortDay(bar.day)}
                </text>
              ) : undefined}
            </g>
          ))}
        </svg>
      )}
    </figure>
  );
}

function chartSummary(bars: readonly Bar[], unit: Unit): string {
  const [first, last] = [bars[0]?.day, bars.at(-1)?.day];
  const totals = bars.map(({ total }) => total);
  const span = first === undefined || last === undefined ? "" : `, ${longDay(first)} to ${longDay(last)}`;
  const between = `between ${formatFigure(Math.min(...totals), unit)} and ${formatFigure(Math.max(...totals), unit)}`;
  return `${unit === "cost" ? "Cost" : "Tokens"} per day${span}, ${between}; the table below has the numbers`;
}

const formatFigure = (amount: number, unit: Unit): string => (unit === "cost" ? `$${amount.toFixed(2)}` : formatTokens(Math.round(amount)));

/** A short form of a round amount: `$2`, `$0.50`, `500k`. */
const onAxis = (amount: number, unit: Unit): string =>
  unit === "tokens"
    ? formatTokens(amount)
    : `$${Number.isInteger(amount) ? amount : amount.toFixed(Math.max(2, -Math.floor(Math.log10(amount))))}`;

/** The width of an element in whole pixels, 0 until it is known. */
function useWidth() {
  const box = useRef<HTMLElement>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const measure = () => setWidth(Math.floor(element.clientWidth));
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    measure();
    return () => observer.disconnect();
  }, []);
  return { box, width };
}
