import { omitUndefined } from "@baton/core/text/omit-undefined";
import { judge, type RuleSet } from "@baton/core/permission/judge";
import type { SharedDependencies } from "../../session/session-dependencies.ts";

export type ReadableFiles = (workspace: string, limit: number) => Promise<{ files: string[]; capped: boolean } | undefined>;

const TIME_LIMIT_MS = 20_000;
/** Workspaces whose verdicts are kept. */
const MAX_KEPT = 3;

/**
 * Lists the files of workspaces that their default mode may read. Undefined if that is impossible. `capped`: there are more. Judging 20,000
 * files takes half a second, so verdicts are kept while the rules stay the same.
 */
export function listReadableFiles(services: SharedDependencies): ReadableFiles {
  const kept = new Map<string, { rules: string; verdicts: Map<string, boolean> }>();

  const verdictsFor = (workspace: string, rules: RuleSet): Map<string, boolean> => {
    const text = JSON.stringify(rules);
    const before = kept.get(workspace);
    const verdicts = before?.rules === text ? before.verdicts : new Map<string, boolean>();
    kept.delete(workspace);
    kept.set(workspace, { rules: text, verdicts });
    for (const oldest of [...kept.keys()].slice(0, Math.max(0, kept.size - MAX_KEPT))) kept.delete(oldest);
    return verdicts;
  };

  return async (workspace, limit) => {
    const mode = services.modes(workspace).get(services.settings.defaultMode(workspace));
    if (!mode) return undefined;
    const rules = services.permissions.rules({ workspace, mode, grants: [], ceilings: [], roots: [] });
    const verdicts = verdictsFor(workspace, rules);
    if (verdicts.size > limit * 2) verdicts.clear(); // most of these files are gone
    const { search } = services.tools.ports({
      workspace,
      roots: [],
      judged: [{ action: "read", resource: "." }],
      mayRead: (resource, floor) => {
        const known = verdicts.get(resource);
        if (known !== undefined) return known;
        const found = floor();
        const may = judge(rules, "read", [{ action: "read", resource, ...omitUndefined({ floor: found }) }]).effect === "allow";
        verdicts.set(resource, may);
        return may;
      },
      mayFetch: () => "deny",
    });
    const listed = await search.files({ limit }, AbortSignal.timeout(TIME_LIMIT_MS));
    return "fault" in listed ? undefined : listed;
  };
}
