import type { Mode } from "@baton/core/protocol/mode";
import { closestMatch } from "@baton/core/text/closest-match";

/** The fields of a mode, by the names that Baton writes. */
export const FIELD_NAMES: readonly string[] =
  "slug name kind description whenToUse roleDefinition customInstructions systemPrompt customRules groups tools allowedFilePaths disallowedFilePaths autoApprove permissions model maxSteps subagents switchTargets variables experimentalFeatures icon color groupName highlightRange argumentHint hidden disabled rulesFiles".split(
    " ",
  );

/**
 * Names of the same fields in files of other programs and in the design documents. `read-mode.ts` reads them in files; a test
 * compares the two.
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

/** The same definition by the names that Baton writes; of two names for one field, the later one counts. */
export function withOwnNames(definition: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(definition).map(([name, value]) => [ownName(name, value), value]));
}

/** `tools` is a list of groups in the design documents, and a table of patterns in Baton. */
const ownName = (name: string, value: unknown): string =>
  name === "tools" && Array.isArray(value) ? "groups" : (ALIASES.get(name) ?? name);

/** Why a definition cannot be taken: one of its names is no field, and its reader kept it among the `extra` ones. */
export function unknownName(definition: Readonly<Record<string, unknown>>, { extra = {} }: Pick<Mode, "extra">): string | undefined {
  const name = Object.keys(definition).find((each) => Object.hasOwn(extra, each));
  if (name === undefined) return undefined;
  const meant = closestMatch(name, FIELD_NAMES);
  return `A mode has no field ${name}. ${meant === undefined ? `Its fields are: ${FIELD_NAMES.join(", ")}.` : `Did you mean ${meant}?`}`;
}
