import { useNow } from "../common-hooks.ts";
import { formatAge, formatDuration } from "@baton/core/text/format";

/** How long ago, kept up to date. */
export const Age = ({ since }: { since: number }) => <>{formatAge(useNow(since > Date.now() - 60_000 ? 1_000 : 20_000) - since)}</>;

/** How long ago in whole minutes, for long lists. */
export const Ago = ({ since }: { since: number }) => {
  const ms = useNow(30_000) - since;
  return <>{ms < 60_000 ? "now" : formatAge(ms)}</>;
};

/** How long it has been at it, in whole seconds. */
export const Elapsed = ({ since }: { since: number }) => <>{formatDuration(Math.max(0, useNow(1_000) - since)).replace(/\.\d s$/, " s")}</>;
