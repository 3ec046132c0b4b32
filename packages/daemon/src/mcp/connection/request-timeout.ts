/** The timeout of a request to a server: for silence, and for the total time. */
type RequestTimeout = {
  /** Aborts when the time is over. */
  signal: AbortSignal;
  /** Call it when the server sends something. */
  again: () => void;
  /** Stops the clock while the user answers a question. */
  during: <T>(asking: () => Promise<T>) => Promise<T>;
  end: () => void;
};

/** Times are in milliseconds. `now` never decreases. */
export function startRequestTimeout({ silent, most }: { silent: number; most: number }, now: () => number): RequestTimeout {
  const over = new AbortController();
  let left = most;
  let since = now();
  let asking = 0;
  let timer: NodeJS.Timeout | undefined;
  const hold = () => {
    clearTimeout(timer);
    left -= now() - since;
  };
  const go = () => {
    since = now();
    timer = setTimeout(() => over.abort("Request timed out"), Math.max(0, Math.min(silent, left)));
  };
  go();
  return {
    signal: over.signal,
    again: () => {
      if (asking > 0) return;
      hold();
      go();
    },
    async during(work) {
      if (asking++ === 0) hold();
      try {
        return await work();
      } finally {
        if (--asking === 0 && !over.signal.aborted) go();
      }
    },
    end: () => clearTimeout(timer),
  };
}
