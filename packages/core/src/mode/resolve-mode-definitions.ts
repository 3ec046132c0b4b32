import type { Mode, ModeSlug } from "../protocol/mode.ts";

/** The source of a mode's definition. `line`: the line where it begins in its file. */
export type DefinitionOrigin = {
  source: "builtin" | "global" | "project" | "plugin";
  /** The plugin that it is part of. */
  plugin?: string | undefined;
  format: string;
  filePath?: string | undefined;
  line?: number | undefined;
  /** When the file was created and changed, in epoch milliseconds. */
  createdAt?: number | undefined;
  updatedAt?: number | undefined;
};

export type FoundMode = { mode: Mode; origin: DefinitionOrigin };

/**
 * The definition of a slug that applies, and the definitions that it overrides, strongest first. `within`: for a mode of a project, the
 * definition that would apply without the project.
 */
export type ResolvedMode = FoundMode & { shadows: DefinitionOrigin[]; within?: FoundMode };

/**
 * Selects one definition per slug and takes nothing from the overridden ones. `found` is ordered from strong to weak. Built-in slugs
 * keep their order and come first; the others follow in the order of `found`.
 */
export function resolveModeDefinitions(found: readonly FoundMode[], builtin: readonly Mode[]): ResolvedMode[] {
  const bySlug = new Map<ModeSlug, ResolvedMode>();
  for (const each of [...found, ...builtin.map(fromBuiltin)]) {
    const stronger = bySlug.get(each.mode.slug);
    if (!stronger) bySlug.set(each.mode.slug, { ...each, shadows: [] });
    else {
      stronger.shadows.push(each.origin);
      if (stronger.origin.source === "project" && each.origin.source !== "project") stronger.within ??= each;
    }
  }
  const first = builtin.flatMap(({ slug }) => bySlug.get(slug) ?? []);
  return [...first, ...[...bySlug.values()].filter((each) => !first.includes(each))];
}

const fromBuiltin = (mode: Mode): FoundMode => ({ mode, origin: { source: "builtin", format: "own" } });
