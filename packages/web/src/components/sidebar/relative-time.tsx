import { useNow } from "../common-hooks.ts";
import type { Request } from "@baton/core/protocol/request";
import { waitingTimeText } from "@baton/core/text/request/waiting-time-text";
import { formatAge, formatDuration } from "@baton/core/text/format";

/** The age of something, kept up to date. */
export const Age = ({ since }: { since: number }) => <>{formatAge(useNow(since > Date.now() - 60_000 ? 1_000 : 20_000) - since)}</>;

/** The age of a request, or the time that is left for an answer. */
export const Wait = ({ request }: { request: Pick<Request, "subject" | "openedAt"> }) => (
  <>{waitingTimeText(request, useNow(request.openedAt > Date.now() - 60_000 ? 1_000 : 20_000))}</>
);

/** The age in whole minutes, for long lists. */
export const Ago = ({ since }: { since: number }) => {
  const ms = useNow(30_000) - since;
  return <>{ms < 60_000 ? "now" : formatAge(ms)}</>;
};

/** The duration so far, in whole seconds. */
export const Elapsed = ({ since }: { since: number }) => <>{formatDuration(Math.max(0, useNow(1_000) - since)).replace(/\.\d s$/, " s")}</>;
