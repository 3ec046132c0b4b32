/** How long is waited for a server: a while without a word of it, and a longer while in all. */
export type RequestTimeout = {
  /** Aborts when it is at its end. */
  signal: AbortSignal;
  /** The server has said something. */
  again: () => void;
  /** What a person is asked meanwhile takes nothing of it, however long they think. */
  during: <T>(asking: () => Promise<T>) => Promise<T>;
  end: () => void;
};

/** Times in milliseconds; `now` never goes back. */
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
