import type { MergedMode, Origin } from "@baton/core/mode/merge";
import { intersectModes, type IntersectedMode } from "@baton/core/mode/intersect-modes";
import { withOverride, type ModeOverride } from "@baton/core/mode/override";
import type { Diagnostic } from "./parse/diagnostic.ts";

/** What a person's config says of modes, by slug. */
export type Overrides = Readonly<Record<string, ModeOverride>>;

/** A mode as it counts. `told`: what of its definition does not. */
export type ClampedMode = Omit<MergedMode, "within"> & { told: Diagnostic[] };

/** A mode with what the config says of it; one of a project inside the one that would count without it. */
export function clampProjectMode({ within, ...found }: MergedMode, overrides: Overrides): ClampedMode {
  const override = overrides[found.mode.slug];
  const mode = withOverride(found.mode, found.origin, override);
  if (!within) return { ...found, mode, told: [] };
  const narrowed = intersectModes(mode, withOverride(within.mode, within.origin, override));
  return { ...found, mode: narrowed.mode, told: widened(narrowed, found.origin, within.origin) };
}

/** What a definition of a project says beyond the mode that it stands in front of. */
function widened({ mode: { slug }, lost, limited }: IntersectedMode, { filePath = "", line = 1 }: Origin, by: Origin): Diagnostic[] {
  if (lost.length + limited.length === 0) return [];
  const other = by.source === "builtin" ? "the built-in one" : `that of ${by.filePath ?? "your own"}`;
  const said = [
    ...(lost.length === 0
      ? []
      : [`${lost.join(", ")} ${lost.length === 1 ? "does" : "do"} not count, as ${other} lacks ${lost.length === 1 ? "it" : "them"}`]),
    ...(limited.length === 0 ? [] : [`${limited.join(", ")} ${limited.length === 1 ? "has" : "have"} the limits of ${other} as well`]),
  ];
  return [
    {
      file: filePath,
      line,
      column: 1,
      severity: lost.length > 0 ? "warning" : "info",
      code: "project_cannot_widen",
      slug,
      message: `A project can narrow the mode ${slug}, not widen it: ${said.join("; ")}.`,
      fix: "Give it another slug, or name where the file has no slug, to make it a mode of its own.",
    },
  ];
}
