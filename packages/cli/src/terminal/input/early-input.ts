import { EXIT } from "../../connection/exit-codes.ts";

/** Keys that come before the client is there. `release` gives them to whoever reads from now on. */
export type EarlyInput = { release: () => Buffer[] };

const CTRL_C = 3;

/** Takes the terminal at once, so that what is typed while the daemon starts is neither echoed nor lost. Ctrl+C leaves. */
export function bufferEarlyInput(): EarlyInput {
  const { stdin } = process;
  const held: Buffer[] = [];
  const hold = (data: Buffer) => {
    if (data.includes(CTRL_C)) process.exit(EXIT.interrupted);
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
