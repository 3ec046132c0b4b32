import { limitingPart } from "@baton/core/permission/rule-layers";
import type { Grant, PlacedRule } from "@baton/core/protocol/rule";
import { useCallback, useEffect, useState } from "react";
import { useApp, useConnected } from "./app-context.ts";

/** What holds in a folder: the rules of a mode, of which the last match decides, the lists above them, and what persons granted to it. */
export type FolderPermissions = {
  mode: string;
  rules: readonly PlacedRule[];
  above: readonly (readonly PlacedRule[])[];
  grants: readonly Grant[];
};

/**
 * Asked of the daemon, and again with `again`, when `stamp` has become another, and when the person comes back to the page, as a
 * config may have been written meanwhile. What is known stays while the daemon cannot be reached.
 */
export function usePermissions(cwd: string, mode: string, stamp: unknown): { allowed: FolderPermissions | undefined; again: () => void } {
  const { link, tell } = useApp();
  const connected = useConnected();
  const [allowed, setAllowed] = useState<FolderPermissions>();
  const [asked, setAsked] = useState(0);
  useEffect(() => {
    if (!connected) return;
    const abort = new AbortController();
    const { signal } = abort;
    Promise.all([link.api.permission.grants.query({ cwd }, { signal }), link.api.permission.rules.query({ cwd, mode }, { signal })])
      .then(([grants, { rules, ceilings }]) =>
        setAllowed({ mode, grants, rules, above: ceilings.map(limitingPart).filter(({ length }) => length > 0) }),
      )
      .catch((error: unknown) => (signal.aborted ? undefined : tell(error)));
    return () => abort.abort();
  }, [link, connected, cwd, mode, stamp, asked]);
  const again = useCallback(() => setAsked((times) => times + 1), []);
  useEffect(() => {
    addEventListener("focus", again);
    return () => removeEventListener("focus", again);
  }, [again]);
  return { allowed, again };
}
