/** True if the promise settles within this time. Rejects with the signal's reason when the signal aborts. */
export async function settlesWithin(promise: Promise<unknown>, ms: number, signal?: AbortSignal): Promise<boolean> {
  signal?.throwIfAborted();
  const { promise: first, resolve, reject } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), ms);
  const stop = () => reject(signal?.reason instanceof Error ? signal.reason : new Error("aborted"));
  signal?.addEventListener("abort", stop, { once: true });
  const settled = () => resolve(true);
  promise.then(settled, settled);
  try {
    return await first;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", stop);
  }
}
