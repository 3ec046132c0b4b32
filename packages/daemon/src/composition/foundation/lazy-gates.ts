import type * as address from "../../permission/address.ts";
import type * as gate from "../../permission/gate.ts";
import type * as limits from "../../permission/limited-files.ts";
import type * as url from "../../permission/url-gate.ts";

type Gates = typeof gate & typeof url & typeof address & typeof limits;

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
      (loading ??= Promise.all([
        import("../../permission/gate.ts"),
        import("../../permission/url-gate.ts"),
        import("../../permission/address.ts"),
        import("../../permission/limited-files.ts"),
      ]).then(([gate, url, address, limits]) => {
        gates = { ...gate, ...url, ...address, ...limits };
      })),
    now: () => {
      if (!gates) throw new Error("the gates are used before a workspace was looked at");
      return gates;
    },
  };
}
