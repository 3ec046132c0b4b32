import { rulesOfMode } from "@baton/core/mode/mode-rules";
import type { AdditionalRoot } from "@baton/core/protocol/event";
import type { SourcedRule } from "@baton/core/protocol/rule";
import type { RuleSet } from "@baton/core/permission/judge";
import { stackLayers } from "@baton/core/permission/rule-layers";
import type { LoadedConfig } from "../../config/load-config.ts";
import { allowedHostRules, networkRules } from "../../config/resolve-settings.ts";
import type { ProjectConfigs } from "../../config/project/project-config.ts";
import type { RulesQuery } from "../../session/session-dependencies.ts";
import { normalizedRules, withRealPlaces } from "../../config/normalize-rule.ts";
import { grantRule, type WorkspaceDecisions } from "../../session/workspace/workspace-decisions.ts";

type RuleSetOptions = {
  config: () => LoadedConfig;
  managed: () => LoadedConfig;
  projects: Pick<ProjectConfigs, "of">;
  workspaces: Pick<WorkspaceDecisions, "trust" | "grants">;
  /** Returns the folder from which a place was made, and any other folder itself. */
  sourceOf: (workspace: string) => string;
};

/**
 * All rules of a mode in a workspace, by layer. Returns the same set while its sources are unchanged, so that values derived
 * from it can be cached.
 */
export function openRuleSets({ config, managed, projects, workspaces, sourceOf }: RuleSetOptions): (of: RulesQuery) => RuleSet {
  const cache = new Map<string, { of: readonly unknown[]; rules: RuleSet }>();
  return ({ workspace, mode, grants, ceilings, roots = NO_ROOTS, trusted = workspaces.trust(workspace) === "trusted" }) => {
    const project = trusted ? projects.of(workspace) : undefined;
    const remembered = workspaces.grants(workspace);
    const of = [mode, config(), managed(), project, ceilings, roots, grants.length, ...grants, ...remembered];
    const key = `${workspace}\n${mode.slug}`;
    const before = cache.get(key);
    if (before && before.of.length === of.length && before.of.every((each, i) => each === of[i])) return before.rules;
    const { rules: user, insteadOfAsking, config: settings } = config();
    const source = sourceOf(workspace);
    const placed = (list: readonly SourcedRule[]) => withRealPlaces(list, workspace, source);
    const ofMode = rulesOfMode(mode, { everyModeSwitches: settings.coordination === "off" });
    const normalized = (list: readonly SourcedRule[]) => placed(list.flatMap(normalizedRules));
    const rules = stackLayers({
      folder: workspace,
      mode: { ...ofMode, rules: normalized(ofMode.rules), ceilings: ofMode.ceilings.map(normalized) },
      user: [...allowedHostRules(config()), ...placed(user)],
      insteadOfAsking,
      workspace: remembered.map(grantRule),
      managed: placed(managedRules(managed())),
      project: placed(project?.rules ?? []),
      settings: [config(), ...(project ? [project] : []), managed()].flatMap(networkRules),
      parent: normalized(roots.some(({ readOnly }) => readOnly) ? [...ceilings, ...readOnlyRules(roots)] : ceilings),
      session: [...rootRules(roots), ...grants.filter((grant) => grant.mode === mode.slug).map(grantRule)],
    });
    cache.set(key, { of, rules });
    return rules;
  };
}

const NO_ROOTS: readonly AdditionalRoot[] = [];

const placed = (action: string, resource: string, effect: "allow" | "deny", source: string): SourcedRule => ({
  action,
  resource,
  effect,
  layer: effect === "allow" ? "session" : "ceiling",
  source,
});

/** The folders themselves need no question. What may be done in them follows from the other rules. */
const rootRules = (roots: readonly AdditionalRoot[]): SourcedRule[] =>
  roots.flatMap(({ path }) =>
    [path, `${path}/*`].map((resource) => placed("external_directory", resource, "allow", `folder ${path} of the session`)),
  );

const readOnlyRules = (roots: readonly AdditionalRoot[]): SourcedRule[] =>
  roots.flatMap(({ path, readOnly }) =>
    readOnly ? [path, `${path}/*`].map((resource) => placed("edit", resource, "deny", `folder ${path} of the session is read-only`)) : [],
  );

/** The rules of the managed config. While they are unknown, nothing beyond the session itself is allowed. */
function managedRules({ rules, insteadOfAsking }: LoadedConfig): readonly SourcedRule[] {
  if (!insteadOfAsking) return rules;
  const open = ["session", "question"].map((action): SourcedRule => ({ ...insteadOfAsking, action, effect: "allow" }));
  return [insteadOfAsking, ...open];
}
