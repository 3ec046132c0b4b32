/** The number of bytes that all terminals together draw per second, and at once. */
const BYTES_PER_SECOND = 4 * 1024 * 1024;
const BURST = 512 * 1024;

/** Returns a function that resolves when so many bytes fit into the pace. Calls that wait resolve in order. */
export function createDrawRateLimiter(perSecond = BYTES_PER_SECOND, burst = BURST): (bytes: number) => Promise<void> {
  let allowance = burst;
  let at = performance.now();
  return async (bytes) => {
    const now = performance.now();
    allowance = Math.min(burst, allowance + ((now - at) / 1000) * perSecond) - bytes;
    at = now;
    if (allowance < 0) await new Promise((next) => setTimeout(next, (-allowance / perSecond) * 1000));
  };
}
