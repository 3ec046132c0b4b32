const AGAIN_MS = 50;

/**
 * Carries a wish to its answer over lost connections. It has to bear the same command id each time, so that it counts
 * once. Needs nothing of Node: every client has it from here.
 */
export async function insist<T>(wish: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await wish();
    } catch (error) {
      if (!wasLost(error)) throw error;
      await new Promise((again) => setTimeout(again, AGAIN_MS));
    }
  }
}

/** Whether a call failed on the way: what the daemon itself says always has a shape. */
const wasLost = (error: unknown): boolean =>
  error instanceof Error && error.name === "TRPCClientError" && !("shape" in error && error.shape);

export const newCommandId = (): string => crypto.randomUUID();
