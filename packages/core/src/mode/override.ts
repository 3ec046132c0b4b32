import type { Mode, ModelChoice } from "../protocol/mode.ts";
import type { Rule } from "../protocol/rule.ts";
import type { Origin } from "./merge.ts";

/** What a person's config says of a mode: texts for a built-in one, a model, rules and a toolset for any. */
export type ModeOverride = {
  name?: string | undefined;
  description?: string | undefined;
  whenToUse?: string | undefined;
  roleDefinition?: string | undefined;
  customInstructions?: string | undefined;
  model?: string | ModelChoice | undefined;
  permissions?: readonly Rule[] | undefined;
  /** No part of the mode itself: sessions look for it where they look for their own. */
  toolset?: string | undefined;
};

/**
 * A mode as the config has it. Texts change built-in modes only, whose tools they keep: a whole definition beats them.
 * Rules may give back what the groups lack, as nothing else may: they are the person's own word on this very mode.
 */
export function withOverride(mode: Mode, origin: Origin, override: ModeOverride | undefined): Mode {
  if (!override) return mode;
  const { model, permissions } = override;
  return {
    ...withTexts(mode, origin, override),
    ...(model === undefined ? {} : { model: typeof model === "string" ? modelOf(model) : model }),
    ...(permissions === undefined
      ? {}
      : {
          permissions: [...(mode.permissions ?? []), ...permissions],
          opened: permissions.filter(({ effect }) => effect !== "deny"),
        }),
  };
}

/** A mode with those words of the config alone that count no more once it has a definition of its own. */
export function withTexts(mode: Mode, { source }: Origin, override: ModeOverride | undefined): Mode {
  if (!override || source !== "builtin") return mode;
  const { model: _model, permissions: _permissions, toolset: _toolset, ...texts } = override;
  return { ...mode, ...Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== undefined)) };
}

/** `provider/id` in its parts. */
export function modelOf(written: string): ModelChoice {
  const slash = written.indexOf("/");
  return slash > 0 ? { provider: written.slice(0, slash), id: written.slice(slash + 1) } : { id: written };
}

/** The name by which the catalog of models knows it; undefined without a provider. */
export function modelName({ provider, id }: ModelChoice): string | undefined {
  return provider === undefined ? undefined : `${provider}/${id}`;
}
