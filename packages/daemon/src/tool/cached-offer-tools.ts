import type { RuleSet } from "@baton/core/permission/judge";
import type { Tool } from "./tool-types.ts";
import { offerTools } from "./offer-tools.ts";
import type { ToolAvailability } from "./tool-availability.ts";

type Offers = ReturnType<typeof offerTools>;
type Known = { tools: readonly Tool[]; situation: string; offers: Offers };

/**
 * A cached `offerTools`, because every step of a turn calls it twice. Rule sets never change, so each one has its own cache entry, which
 * lives as long as the rule set.
 */
export function openCachedOfferTools(): typeof offerTools {
  const known = new WeakMap<RuleSet, Known>();
  return (tools, rules, situation) => {
    const input = { tools: [...tools], situation: textOf(situation) };
    const before = known.get(rules);
    if (before && before.situation === input.situation && areSame(before.tools, input.tools)) return before.offers;
    const offers = offerTools(input.tools, rules, situation);
    known.set(rules, { ...input, offers });
    return offers;
  };
}

const textOf = (situation: ToolAvailability | undefined): string => JSON.stringify(situation) ?? "";

const areSame = (a: readonly Tool[], b: readonly Tool[]): boolean => a.length === b.length && a.every((tool, i) => tool === b[i]);
