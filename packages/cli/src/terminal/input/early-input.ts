import { EXIT_CODES } from "../../connection/exit-codes.ts";

/** Keys that arrive before the client is ready. `release` returns them and stops collecting. */
export type EarlyInput = { release: () => Buffer[] };

const CTRL_C = 3;

/**
 * Puts the terminal into raw mode at once, so that keys typed during the start are neither echoed nor lost. Ctrl+C exits.
 */
export function bufferEarlyInput(): EarlyInput {
  const { stdin } = process;
  const held: Buffer[] = [];
  const hold = (data: Buffer) => {
    if (data.includes(CTRL_C)) process.exit(EXIT_CODES.interrupted);
    held.push(data);
  };
  stdin.setRawMode(true);
  stdin.on("data", hold);
  return {
    release: () => {
      stdin.off("data", hold);
      return held.splice(0);
    },
  };
}
