import type { Mode, ModelChoice } from "../protocol/mode.ts";
import type { Rule } from "../protocol/rule.ts";
import type { DefinitionOrigin } from "./resolve-mode-definitions.ts";

/** The user's settings for a mode: texts for a built-in mode; a model, rules and a toolset for any mode. */
export type ModeOverride = {
  name?: string | undefined;
  description?: string | undefined;
  whenToUse?: string | undefined;
  roleDefinition?: string | undefined;
  customInstructions?: string | undefined;
  model?: string | ModelChoice | undefined;
  permissions?: readonly Rule[] | undefined;
  /** Sessions read this setting directly; it does not change the mode. */
  toolset?: string | undefined;
};

/**
 * Applies the user's settings to a mode. Texts only apply to built-in modes, because a definition in a file replaces them entirely.
 * Only these rules can give back tools that the mode's groups lack, because the user wrote them for this mode.
 */
export function withOverride(mode: Mode, origin: DefinitionOrigin, override: ModeOverride | undefined): Mode {
  if (!override) return mode;
  const { model, permissions } = override;
  return {
    ...withTexts(mode, origin, override),
    ...(model === undefined ? {} : { model: typeof model === "string" ? parseModelChoice(model) : model }),
    ...(permissions === undefined
      ? {}
      : {
          permissions: [...(mode.permissions ?? []), ...permissions],
          opened: permissions.filter(({ effect }) => effect !== "deny"),
        }),
  };
}

/** Applies only the texts of the user's settings. They have no effect on a mode with a definition in a file. */
export function withTexts(mode: Mode, { source }: DefinitionOrigin, override: ModeOverride | undefined): Mode {
  if (!override || source !== "builtin") return mode;
  const { model: _model, permissions: _permissions, toolset: _toolset, ...texts } = override;
  return { ...mode, ...Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== undefined)) };
}

/** Splits `provider/id`. */
export function parseModelChoice(written: string): ModelChoice {
  const slash = written.indexOf("/");
  return slash > 0 ? { provider: written.slice(0, slash), id: written.slice(slash + 1) } : { id: written };
}

/** The model's name in the catalog, `provider/id`. Undefined without a provider. */
export function modelName({ provider, id }: ModelChoice): string | undefined {
  return provider === undefined ? undefined : `${provider}/${id}`;
}
