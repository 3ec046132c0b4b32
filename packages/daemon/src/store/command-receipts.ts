/** Nobody sends a command again after a month, so its receipt is not needed any more. */
const MAX_AGE_MS = 30 * 24 * 3_600_000;

export const deleteOldReceipts = (now: number) => ({ sql: "DELETE FROM receipt WHERE at < ?", args: [now - MAX_AGE_MS] });
