import { builtinModes, builtinMode } from "@baton/core/mode/builtin-modes";
import { newToolsetState } from "@baton/core/toolset/toolset-selection-state";
import type { AskContext } from "../tool-types.ts";

/** A session in this mode, with the built-in modes, no plan, and one tool named like its mode. */
export function inMode(slug: string, more: Partial<AskContext> = {}): AskContext {
  const mode = builtinMode(slug);
  if (!mode) throw new Error(`there is no mode ${slug}`);
  return {
    mode,
    modes: builtinModes,
    returnPoints: [],
    unattended: false,
    plan: { path: ".baton/plans/s.md", text: "" },
    toolsetState: newToolsetState("dual"),
    toolsOf: (of) => ["read_file", `tool_of_${of.slug}`],
    modelOf: () => "test/model",
    ...more,
  };
}
