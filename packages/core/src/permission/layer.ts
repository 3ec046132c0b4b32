import type { PlacedRule, Rule } from "../protocol/rule.ts";
import type { RuleSet } from "./judge.ts";

/** Where rules come from, lowest first. `ceilings` of every kind are kept apart: nothing overrides them. */
export type Layers = {
  mode: RuleSet;
  user: readonly PlacedRule[];
  insteadOfAsking?: PlacedRule | undefined;
  workspace: readonly PlacedRule[];
  session: readonly PlacedRule[];
};

/** Puts the layers in their order: defaults < mode < user < workspace grants < session grants; a user's denies are ceilings. */
export function stack({ mode, user, workspace, session, insteadOfAsking }: Layers): RuleSet {
  const denies = user.filter((rule) => rule.effect === "deny");
  return {
    rules: [...defaults, ...mode.rules, ...user, ...workspace, ...session],
    ceilings: [...mode.ceilings, ...denies],
    insteadOfAsking,
  };
}

const builtIn = (rule: Rule): PlacedRule => ({ ...rule, layer: "defaults", source: "built in" });

/** What holds where nobody said anything: reading inside the workspace is free, all else asks. */
const defaults: readonly PlacedRule[] = [
  builtIn({ action: "*", resource: "*", effect: "ask" }),
  builtIn({ action: "read", resource: "*", effect: "allow" }),
  builtIn({ action: "read", resource: "*.env", effect: "ask" }),
  builtIn({ action: "read", resource: "*.env.*", effect: "ask" }),
  builtIn({ action: "read", resource: "*.env.example", effect: "allow" }),
  builtIn({ action: "external_directory", resource: "*", effect: "ask" }),
  builtIn({ action: "question", resource: "*", effect: "allow" }),
  builtIn({ action: "session", resource: "*", effect: "allow" }),
];
