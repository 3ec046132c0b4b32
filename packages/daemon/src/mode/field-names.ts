import type { Mode } from "@baton/core/protocol/mode";
import { closestMatch } from "@baton/core/text/closest-match";

/** The fields of a mode under the names that Baton writes. */
export const FIELD_NAMES: readonly string[] =
  "slug name kind description whenToUse roleDefinition customInstructions systemPrompt customRules groups tools allowedFilePaths disallowedFilePaths autoApprove permissions model maxSteps subagents switchTargets variables experimentalFeatures icon color groupName highlightRange argumentHint hidden disabled rulesFiles".split(
    " ",
  );

/**
 * Names of the same fields in files of other programs and in the design documents. `read-mode.ts` reads them; a test compares the two.
 */
export const ALIASES: ReadonlyMap<string, string> = new Map([
  ["displayName", "name"],
  ["mode", "kind"],
  ["role", "roleDefinition"],
  ["prompt", "roleDefinition"],
  ["instructions", "customInstructions"],
  ["rules", "customRules"],
  ["permission", "permissions"],
  ["steps", "maxSteps"],
  ["maxTurns", "maxSteps"],
  ["maxIterations", "maxSteps"],
  ["iconName", "icon"],
  ["argument-hint", "argumentHint"],
  ["disable", "disabled"],
  ["apiModel", "model"],
  ["modelId", "model"],
  ["preferredModelId", "model"],
]);

/** The definition with Baton's names. If two names mean one field, the later one wins. */
export function withOwnNames(definition: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(definition).map(([name, value]) => [ownName(name, value), value]));
}

/** In the design documents `tools` is a list of groups; in Baton it is a table of patterns. */
const ownName = (name: string, value: unknown): string =>
  name === "tools" && Array.isArray(value) ? "groups" : (ALIASES.get(name) ?? name);

/** The message for a definition with an unknown field, which the reader kept in `extra`. Undefined if there is none. */
export function unknownName(definition: Readonly<Record<string, unknown>>, { extra = {} }: Pick<Mode, "extra">): string | undefined {
  const name = Object.keys(definition).find((each) => Object.hasOwn(extra, each));
  if (name === undefined) return undefined;
  const meant = closestMatch(name, FIELD_NAMES);
  return `A mode has no field ${name}. ${meant === undefined ? `Its fields are: ${FIELD_NAMES.join(", ")}.` : `Did you mean ${meant}?`}`;
}
