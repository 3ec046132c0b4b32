import { ModelError } from "./model-port.ts";

/** How long a provider may be silent before its first part and between two parts, in milliseconds. */
const FIRST_PART_MS = 120_000;
const NEXT_PART_MS = 60_000;

/**
 * Ends a call whose provider falls silent. Call `onPart` with the type of each part; keep-alives and headers do not count. The signal aborts
 * with a `ModelError` of code `timeout`.
 */
export function idleTimeout(
  outer: AbortSignal,
  timeoutMs: number | undefined,
): { signal: AbortSignal; onPart: (type: string) => void; end: () => void } {
  const firstMs = timeoutMs ?? FIRST_PART_MS;
  const nextMs = timeoutMs ?? NEXT_PART_MS;
  const abort = new AbortController();
  const limit = (ms: number) => setTimeout(() => abort.abort(new ModelError("timeout", `The model sent nothing for ${ms / 1000} s.`)), ms);
  let timer = limit(firstMs);
  let begun = false;
  return {
    signal: AbortSignal.any([outer, abort.signal]),
    onPart: (type) => {
      if (type === "stream-start" || type === "response-metadata" || type === "ping" || type === "raw") return;
      if (begun) return void timer.refresh();
      begun = true;
      clearTimeout(timer);
      timer = limit(nextMs);
    },
    end: () => clearTimeout(timer),
  };
}
