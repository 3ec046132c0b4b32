import type { isPublicAddress } from "./address.ts";
import type { gate, judgedOnly, readFloor } from "./gate.ts";
import type { limitedFiles } from "./limited-files.ts";
import type { addressChecker } from "./url-gate.ts";

type Gates = {
  gate: typeof gate;
  judgedOnly: typeof judgedOnly;
  readFloor: typeof readFloor;
  addressChecker: typeof addressChecker;
  isPublicAddress: typeof isPublicAddress;
  limitedFiles: typeof limitedFiles;
};

/**
 * The gates with their parsers and tables. They take longer to load than the rest of the daemon. So they are loaded before the
 * daemon opens the first workspace, and not before it answers.
 */
export type LazyGates = {
  load: () => Promise<void>;
  /** Throws if the gates are not loaded yet. */
  now: () => Gates;
};

export function lazyGates(): LazyGates {
  let loading: Promise<void> | undefined;
  let gates: Gates | undefined;
  return {
    load: () =>
      (loading ??= Promise.all([import("./gate.ts"), import("./url-gate.ts"), import("./address.ts"), import("./limited-files.ts")]).then(
        ([gate, url, address, limits]) => {
          gates = { ...gate, ...url, ...address, ...limits };
        },
      )),
    now: () => {
      if (!gates) throw new Error("the gates are used before a workspace was looked at");
      return gates;
    },
  };
}
