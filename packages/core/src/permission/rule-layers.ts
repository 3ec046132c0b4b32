import type { PlacedRule, Rule } from "../protocol/rule.ts";
import type { RuleSet } from "./judge.ts";

/** Where rules come from, lowest first. `ceilings` of every kind are kept apart: nothing overrides them. */
export type RuleLayers = {
  /** The folder that is worked in, whole. */
  folder?: string;
  mode: RuleSet;
  user: readonly PlacedRule[];
  insteadOfAsking?: PlacedRule | undefined;
  workspace: readonly PlacedRule[];
  session: readonly PlacedRule[];
  /** Lists that stand apart: of a managed machine, and of a trusted project, which can only narrow. */
  managed?: readonly PlacedRule[];
  project?: readonly PlacedRule[];
  /** What settings rule out, such as the network. */
  settings?: readonly PlacedRule[];
  /** What the parent of a delegated session keeps it from. */
  parent?: readonly PlacedRule[];
};

/** Puts the layers in their order: defaults < mode < user < workspace grants < session grants; what the user's rules deny is a ceiling. */
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

/** What a list of a person's rules denies, and nothing above it may allow: a deny that a later rule of theirs takes back is none. */
export const denyRules = (rules: readonly PlacedRule[]): PlacedRule[] =>
  rules.map((rule) => (rule.effect === "deny" ? rule : { ...rule, effect: "allow" }));

/** What of a list that stands above says anything: its first no and all after it, which may take it back. Empty where it says no to nothing. */
export function limitingPart(ceiling: readonly PlacedRule[]): readonly PlacedRule[] {
  const from = ceiling.findIndex(({ effect }) => effect !== "allow");
  return from < 0 ? [] : ceiling.slice(from);
}

const builtIn = (rule: Rule): PlacedRule => ({ ...rule, layer: "defaults", source: "built in" });

/** Names of files that hold keys and tokens and nothing else. */
const KEYS = "id_rsa id_dsa id_ecdsa id_ed25519 .netrc .git-credentials .pypirc .pgpass .vault-token .aws/credentials *.p12 *.pfx".split(
  " ",
);

/** What holds where nobody said anything: reading inside the workspace is free, all else asks. */
const defaults: readonly PlacedRule[] = [
  builtIn({ action: "*", resource: "*", effect: "ask" }),
  builtIn({ action: "read", resource: "*", effect: "allow" }),
  ...["*.env", ".env*", "*/.env*"].map((resource) => builtIn({ action: "read", resource, effect: "ask" })),
  ...KEYS.flatMap((name) => [name, `*/${name}`]).map((resource) => builtIn({ action: "read", resource, effect: "ask" })),
  ...["example", "sample", "template"].map((kind) => builtIn({ action: "read", resource: `*.env.${kind}`, effect: "allow" })),
  builtIn({ action: "external_directory", resource: "*", effect: "ask" }),
  builtIn({ action: "question", resource: "*", effect: "allow" }),
  builtIn({ action: "session", resource: "*", effect: "allow" }),
  builtIn({ action: "skill", resource: "*", effect: "allow" }),
  ...["list-available-tools", "list-saved-toolsets", "get-active-toolset", "exit-configuration-mode"].map((tool) =>
    builtIn({ action: "configure", resource: tool, effect: "allow" }),
  ),
  builtIn({ action: "run_slash_command", resource: "*", effect: "allow" }),
  builtIn({ action: "coordinate_mode", resource: "*", effect: "allow" }), // it only returns to a mode that the session was in
];
