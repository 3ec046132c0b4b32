import { sanitize } from "@baton/core/text/sanitize";
import { formatCount } from "@baton/core/text/format";
import { useMemo, useState } from "react";
import type { SessionSnapshot } from "../store/session/session-store.ts";

/** Announces new requests and finished replies to screen readers. */
export function Announcer({ snapshot: { parts, version, seq }, open }: { snapshot: SessionSnapshot; open: readonly string[] }) {
  const [since] = useState(seq);
  const announcement = useMemo(() => {
    const reply = parts
      .at(-1)
      ?.entries.findLast((entry) => entry.kind === "reply" && entry.phase === "done" && entry.seq > since && entry.text.trim() !== "");
    return reply?.kind === "reply" ? sanitize(reply.text.slice(0, 500)) : "";
    // the newest part changes in place, and `version` tells when
  }, [parts.length, version, since]);
  return (
    <>
      <p className="vh" aria-live="polite">
        {announcement}
      </p>
      <p className="vh" aria-live="polite">
        {open.length === 0 ? "" : `Needs you: ${open.at(-1)}${open.length > 1 ? `. ${formatCount(open.length, "request")} here.` : ""}`}
      </p>
    </>
  );
}
