import type { TerminalSize } from "./command-terminal-frame.ts";

/** Sends what a user types. The size is the one of the user's own terminal. */
export type SendTyped = (typed: { data: string; size?: TerminalSize }) => Promise<unknown>;

/**
 * Sends keys one after the other, because calls that run side by side could change their order. What is typed while a call runs goes
 * into the next one. `failed` is called once, and later keys are dropped.
 */
export function createTerminalInputQueue(send: SendTyped, failed: (error: unknown) => void): (data: string, size?: TerminalSize) => void {
  let waiting = "";
  let waitingSize: TerminalSize | undefined;
  let isSending = false;
  let hasFailed = false;
  const flush = async (): Promise<void> => {
    isSending = true;
    try {
      while (waiting !== "" || waitingSize) {
        const [data, size] = [waiting.slice(0, MAX_SENT), waitingSize];
        waiting = waiting.slice(MAX_SENT);
        waitingSize = undefined;
        await send({ data, ...(size ? { size } : {}) });
      }
    } catch (error) {
      hasFailed = true;
      failed(error);
    } finally {
      isSending = false;
    }
  };
  return (data, size) => {
    if (hasFailed) return;
    waiting += data;
    waitingSize = size ?? waitingSize;
    if (!isSending) flush().catch(failed); // it never rejects
  };
}

/** The longest text of one call, in characters. */
const MAX_SENT = 16_384;
