import path from "node:path";
import type { Mode } from "@baton/core/protocol/mode";
import type { DefinitionOrigin } from "@baton/core/mode/resolve-mode-definitions";
import { readModeFile, type ModeFileText } from "./read-mode-file.ts";
import type { ModeScope } from "./mode-read-context.ts";
import type { ModeDiagnostic } from "./parse/diagnostic.ts";

export type ValidatedFile = { modes: (Mode & DefinitionOrigin)[]; diagnostics: ModeDiagnostic[] };

/** Reads files without using them. A file below `cwd` counts as a project's file, any other as the user's. */
export async function validateModes(cwd: string, files: readonly ModeFileText[]): Promise<ValidatedFile> {
  const validated: ValidatedFile = { modes: [], diagnostics: [] };
  for (const file of files) {
    const scope: ModeScope = path.relative(cwd, file.path).split(path.sep)[0] === ".." ? "global" : "project";
    const read = await readModeFile(file, scope);
    validated.modes.push(
      ...read.modes.map(({ mode, line }) => ({ ...mode, source: scope, format: read.format, filePath: file.path, line })),
    );
    validated.diagnostics.push(...read.diagnostics);
  }
  return validated;
}
