import type { SourcedRule, Rule } from "../protocol/rule.ts";
import { actionTable, toolTable } from "../tool/tool-table.ts";
import type { RuleSet } from "./judge.ts";

/** The sources of rules, from weak to strong. The lists after `session` are ceilings: no rule overrides them. */
export type RuleLayers = {
  /** The workspace as an absolute path. */
  folder?: string;
  mode: RuleSet;
  user: readonly SourcedRule[];
  insteadOfAsking?: SourcedRule | undefined;
  workspace: readonly SourcedRule[];
  session: readonly SourcedRule[];
  /** Rules of a managed machine and of a trusted project. They can only restrict. */
  managed?: readonly SourcedRule[];
  project?: readonly SourcedRule[];
  /** Rules that follow from settings, such as no network. */
  settings?: readonly SourcedRule[];
  /** Limits that the parent of a delegated session sets. */
  parent?: readonly SourcedRule[];
};

/** Stacks the layers: defaults < mode < user < workspace grants < session grants. The user's denies are a ceiling as well. */
export function stackLayers({
  folder,
  mode,
  user,
  workspace,
  session,
  managed = [],
  project = [],
  settings = [],
  parent = [],
  insteadOfAsking,
}: RuleLayers): RuleSet {
  return {
    rules: [...defaults, ...mode.rules, ...user, ...workspace, ...session],
    ceilings: [managed, settings, ...mode.ceilings, denyRules(user), project, parent].filter((rules) => rules.length > 0),
    insteadOfAsking,
    workspace: folder,
  };
}

/** The denies of a user's rules as a ceiling. A deny that a later rule of the list takes back has no effect. */
export const denyRules = (rules: readonly SourcedRule[]): SourcedRule[] =>
  rules.map((rule) => (rule.effect === "deny" ? rule : { ...rule, effect: "allow" }));

/** The part of a ceiling that has an effect: its first limit and everything after it, which may take it back. Empty without a limit. */
export function limitingPart(ceiling: readonly SourcedRule[]): readonly SourcedRule[] {
  const from = ceiling.findIndex(({ effect }) => effect !== "allow");
  return from < 0 ? [] : ceiling.slice(from);
}

const builtIn = (rule: Rule): SourcedRule => ({ ...rule, layer: "defaults", source: "built in" });

/** Names of files that only contain keys and tokens. */
export const KEY_FILES: readonly string[] =
  `id_rsa id_dsa id_ecdsa id_ed25519 id_ecdsa_sk id_ed25519_sk .dev.vars config/master.key .netrc .git-credentials .pypirc .pgpass .vault-token .aws/credentials .kube/config .docker/config.json
  gh/hosts.yml glab-cli/config.yml .config/hub .cargo/credentials .cargo/credentials.toml .gem/credentials .composer/auth.json
  composer/auth.json credentials.tfrc.json .s3cfg .my.cnf rclone.conf huggingface/token .huggingface/token .codex/auth.json
  .claude/.credentials.json opencode/auth.json .bash_history .zsh_history etc/shadow etc/gshadow */environ .boto .mylogin.cnf
  .m2/settings.xml .m2/settings-security.xml .kaggle/kaggle.json .oci/config .fly/config.yml age/keys.txt doctl/config.yaml *.p12 *.pfx`.split(
    /\s+/,
  );

/** The rules without any settings: reading in the workspace is allowed, and everything else asks. */
const defaults: readonly SourcedRule[] = [
  builtIn({ action: "*", resource: "*", effect: "ask" }),
  ...actionTable.flatMap(({ name, byDefault }) => (byDefault ? [builtIn({ action: name, resource: "*", effect: byDefault })] : [])),
  ...["*.env", ".env*", "*/.env*"].map((resource) => builtIn({ action: "read", resource, effect: "ask" })),
  ...KEY_FILES.flatMap((name) => [name, `*/${name}`]).map((resource) => builtIn({ action: "read", resource, effect: "ask" })),
  ...["example", "sample", "template"].flatMap((kind) =>
    ["*.env.", "*.env.*."].map((start) => builtIn({ action: "read", resource: `${start}${kind}`, effect: "allow" })),
  ),
  ...toolTable.flatMap(({ name, action, byDefault }) =>
    byDefault ? [builtIn({ action, resource: action === name ? "*" : name, effect: byDefault })] : [],
  ),
];
