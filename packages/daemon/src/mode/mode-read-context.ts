import { omitUndefined } from "@baton/core/text/omit-undefined";
import type { Mode } from "@baton/core/protocol/mode";
import type { ModeDiagnostic, DiagnosticCode, Severity } from "./parse/diagnostic.ts";
import type { ParsedText } from "./parse/syntax-node.ts";
import { positionInSource, type SourceText } from "./parse/source-text.ts";

/** Whether a mode file belongs to the user or to a project. */
export type ModeScope = "global" | "project";

export type ModeFormat = "own" | "roo" | "kilo" | "opencode" | "claude" | "vscode" | "cline";

/** Returns the reason why Baton should not read a file by itself, or undefined. */
export type FileProblem = (file: string) => string | undefined;

/** A rules file of a mode. Its path is relative to the mode's rules folder. */
export type RulesFile = { relativePath: string; content: string };

/** A mode from a file. `line`: where its definition begins. */
export type ReadMode = { mode: Mode; line: number; rulesFiles: RulesFile[] };

/**
 * The result of a reader. `faulty`: the slugs of invalid definitions. `broken`: the file could not be read at all, so the modes that it
 * defines are unknown.
 */
export type ModeReadResult = { modes: ReadMode[]; faulty: string[]; broken: boolean; diagnostics: ModeDiagnostic[] };

/** Collects the modes and the problems of one file. */
export class ReadContext {
  readonly source: SourceText;
  readonly scope: ModeScope;
  readonly diagnostics: ModeDiagnostic[] = [];
  /** The slug of the definition that is being read, for diagnostics. */
  slug: string | undefined;
  #errors = 0;

  constructor(source: SourceText, scope: ModeScope) {
    this.source = source;
    this.scope = scope;
  }

  /** The number of errors so far. A definition that adds errors has no effect. */
  get errors(): number {
    return this.#errors;
  }

  report(at: number, severity: Severity, code: DiagnosticCode, message: string, fix?: string): void {
    if (severity === "error") this.#errors++;
    this.diagnostics.push({
      file: this.source.file,
      ...positionInSource(this.source, at),
      severity,
      code,
      ...omitUndefined({ slug: this.slug }),
      message,
      ...omitUndefined({ fix }),
    });
  }

  error(at: number, code: DiagnosticCode, message: string, fix?: string): void {
    this.report(at, "error", code, message, fix);
  }

  warn(at: number, code: DiagnosticCode, message: string, fix?: string): void {
    this.report(at, "warning", code, message, fix);
  }

  /** Reports the errors of a parser. If the text could not be read, only the first, because the others usually follow from it. */
  faults({ faults }: ParsedText): void {
    const first = faults.find(({ repaired }) => !repaired);
    for (const fault of faults.slice(0, MAX_FAULTS)) {
      const { at, code, message, fix, repaired } = fault;
      if (repaired || fault === first) this.report(at, repaired ? "warning" : "error", code, message, fix);
    }
  }

  line(at: number): number {
    return positionInSource(this.source, at).line;
  }
}

const MAX_FAULTS = 10;
