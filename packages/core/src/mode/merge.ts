import type { Mode, ModeSlug } from "../protocol/mode.ts";

/** Where a definition comes from. `line` is where it begins in its file. */
export type Origin = {
  source: "builtin" | "global" | "project";
  format: string;
  filePath?: string | undefined;
  line?: number | undefined;
  /** When its file was made and changed, in epoch milliseconds. */
  createdAt?: number | undefined;
  updatedAt?: number | undefined;
};

export type FoundMode = { mode: Mode; origin: Origin };

/**
 * A mode that counts, and the definitions of the same slug that it stands in front of, strongest first. `within`: the one
 * that would count without the project, where it is of a project.
 */
export type MergedMode = FoundMode & { shadows: Origin[]; within?: FoundMode };

/**
 * One definition per slug, whole: nothing of a shadowed one is mixed in. `found` comes strongest first. Built-in slugs keep
 * their order and place, the others follow as they were found.
 */
export function merge(found: readonly FoundMode[], builtin: readonly Mode[]): MergedMode[] {
  const bySlug = new Map<ModeSlug, MergedMode>();
  for (const each of [...found, ...builtin.map(ofBuiltin)]) {
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

const ofBuiltin = (mode: Mode): FoundMode => ({ mode, origin: { source: "builtin", format: "own" } });
