import { formatTokens } from "@baton/core/text/format";
import { useApp, useObservableValue } from "../../store/app-context.ts";

/** How full the context is: in percent if the model's context window is known, otherwise in tokens. */
export function useContextFill(model: string | undefined, usedTokens: number): { window: number | undefined; percent: number | undefined } {
  const window = useObservableValue(useApp().lists.models).find(({ id }) => id === model)?.contextWindow;
  return { window, percent: window === undefined ? undefined : Math.min(100, Math.ceil((100 * usedTokens) / window)) };
}

/** A short bar with the percentage. */
export function ContextFact({ model, used: usedTokens }: { model: string | undefined; used: number }) {
  const { window, percent } = useContextFill(model, usedTokens);
  if (usedTokens === 0) return undefined;
  if (percent === undefined || window === undefined)
    return (
      <span className="fact only-norail" title="Tokens in the context now">
        {formatTokens(usedTokens)}
      </span>
    );
  return (
    <span className="fact row only-norail" title={`The context holds ${formatTokens(usedTokens)} of ${formatTokens(window)} tokens`}>
      <ContextMeter percent={percent} /> {percent} %
    </span>
  );
}

export const ContextMeter = ({ percent, wide = false }: { percent: number; wide?: boolean }) => (
  <span className={wide ? "meter wide" : "meter"} aria-hidden="true">
    <i style={{ width: `${percent}%` }} />
  </span>
);
