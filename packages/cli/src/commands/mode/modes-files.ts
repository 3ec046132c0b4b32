import { existsSync, writeFileSync } from "node:fs";
import path from "node:path";
import { formatCount } from "@baton/core/text/format";
import { hasErrors, printDiagnostics } from "./print-diagnostics.ts";
import { groupText } from "./modes.ts";
import { terminalStyle, printJson, printLines } from "../output.ts";
import { EXIT_CODES, CommandExit, usageError } from "../../connection/exit-codes.ts";
import { withConnection } from "../../connection/daemon-connection.ts";

export type Scope = "global" | "project";

const toFiles = (files: readonly string[]) => files.map((file) => ({ path: path.resolve(file) }));

/** Checks mode files of any format. Exits with 2 if one has an error. */
export async function validateModes(files: string[], { json = false }: { json?: boolean }): Promise<void> {
  await withConnection(async ({ api }) => {
    const { modes, diagnostics } = await api.mode.validate.query({ cwd: process.cwd(), files: toFiles(files) });
    if (json) printJson({ modes, diagnostics });
    else {
      const style = terminalStyle();
      printLines(
        modes.map(
          ({ slug, name, format, groups }) =>
            `✓ ${slug} ${style.ansi.dim(`${name} · ${format} · ${groups.map(groupText).join(", ") || "no groups"}`)}`,
        ),
      );
      printDiagnostics(diagnostics, style);
    }
    if (hasErrors(diagnostics)) throw new CommandExit("", EXIT_CODES.usage);
  });
}

/** Imports the modes of files in any format. */
export async function importModes(
  files: string[],
  { scope = "global", overwrite = false, json = false }: { scope?: Scope; overwrite?: boolean; json?: boolean },
): Promise<void> {
  await withConnection(async ({ api }) => {
    const input = { cwd: process.cwd(), scope, files: toFiles(files), overwrite };
    const { imported, diagnostics } = await api.mode.import.mutate(input);
    if (json) printJson({ imported, diagnostics });
    else {
      printLines([
        imported.length === 0 ? "Nothing was imported." : `Imported ${formatCount(imported.length, "mode")}: ${imported.join(", ")}.`,
      ]);
      printDiagnostics(diagnostics, terminalStyle());
    }
    if (hasErrors(diagnostics)) throw new CommandExit("", EXIT_CODES.usage);
  });
}

export type ExportOptions = { format?: "own" | "roo" | "kilocodemodes" | "claude" | "opencode"; out?: string; json?: boolean };

/** Converts a mode to another agent's format, and reports what that format cannot express. */
export async function exportMode(slug: string, { format = "own", out, json = false }: ExportOptions): Promise<void> {
  await withConnection(async ({ api }) => {
    const exported = await api.mode.export.query({ cwd: process.cwd(), slug, format });
    if (out !== undefined && existsSync(out)) throw usageError(`${out} exists already. Name another file, or delete it.`);
    if (out !== undefined) writeFileSync(out, exported.text);
    if (json) return printJson({ slug, format, ...exported });
    if (out === undefined) process.stdout.write(exported.text);
    for (const sentence of exported.lost) process.stderr.write(`! ${sentence}\n`);
  });
}
