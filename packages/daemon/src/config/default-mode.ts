import type { Mode } from "@baton/core/protocol/mode";
import type { ConfigDiagnostic, LoadedConfig } from "./load-config.ts";

/** Why sessions cannot begin in the `defaultMode` of a config: there is no such mode, or it is for subtasks only. */
export function defaultModeProblem(
  { config, lines }: Pick<LoadedConfig, "config" | "lines">,
  file: string,
  modes: readonly Mode[],
): ConfigDiagnostic[] {
  const slug = config.defaultMode;
  const mode = modes.find((each) => each.slug === slug);
  if (slug === undefined || (mode && mode.kind !== "subagent")) return [];
  const why = mode ? `defaultMode names ${slug}, which is for subtasks only.` : `defaultMode names ${slug}, and there is no such mode.`;
  return [{ file, line: lines.defaultMode ?? 1, column: 1, severity: "warning", message: `${why} \`baton modes list\` lists the modes.` }];
}
