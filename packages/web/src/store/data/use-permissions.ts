import { limitingPart } from "@baton/core/permission/rule-layers";
import type { Grant, SourcedRule } from "@baton/core/protocol/rule";
import { useApp, useConnected } from "../app-context.ts";
import { useQuery } from "./use-query.ts";

/** The permissions in a folder: the rules of a mode (the last match decides), the ceilings above them, and the grants. */
type FolderPermissions = {
  mode: string;
  rules: readonly SourcedRule[];
  ceilings: readonly (readonly SourcedRule[])[];
  grants: readonly Grant[];
};

/** Asks the daemon, and again when `stamp` changes, with `again`, and when the user comes back to the page. */
export function usePermissions(
  cwd: string,
  mode: string,
  stamp: unknown,
): { allowed: FolderPermissions | undefined; again: () => Promise<void> } {
  const { link, tell } = useApp();
  const connected = useConnected();
  const load = async (signal: AbortSignal): Promise<FolderPermissions> => {
    const { grants, rules } = link.api.permission;
    const [granted, found] = await Promise.all([grants.query({ cwd }, { signal }), rules.query({ cwd, mode }, { signal })]);
    const ceilings = found.ceilings.map(limitingPart).filter(({ length }) => length > 0);
    return { mode, grants: granted, rules: found.rules, ceilings };
  };
  const { data: allowed, refetch: again } = useQuery(connected ? load : undefined, [link, cwd, mode, stamp], {
    refetchOnFocus: true,
    onError: tell,
  });
  return { allowed, again };
}
