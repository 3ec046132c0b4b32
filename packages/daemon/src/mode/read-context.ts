import type { Mode } from "@baton/core/protocol/mode";
import type { Diagnostic, DiagnosticCode, Severity } from "./parse/diagnostic.ts";
import type { ParsedText } from "./parse/syntax-node.ts";
import { positionAt, type Source } from "./parse/source-text.ts";

/** Where a mode file lies: with a person, for all their work, or in a project. */
export type Scope = "global" | "project";

export type Format = "own" | "roo" | "kilo" | "opencode" | "claude" | "vscode" | "cline";

/** A file of rules that came along with a mode, its path relative to the folder of the mode's rules. */
export type RulesFile = { relativePath: string; content: string };

/** A mode as it was found. `line` is where its definition begins. */
export type ReadMode = { mode: Mode; line: number; rulesFiles: RulesFile[] };

/**
 * What a reader found. `faulty` are the slugs of definitions that could not be taken; `broken`: the file could not be
 * read as a whole, so that nobody knows what it defines.
 */
export type ModeReadResult = { modes: ReadMode[]; faulty: string[]; broken: boolean; diagnostics: Diagnostic[] };

/** One file on its way to modes: collects what was found and what is wrong with it. */
export class ReadContext {
  readonly source: Source;
  readonly scope: Scope;
  readonly diagnostics: Diagnostic[] = [];
  /** Whose definition is being read, for the diagnostics. */
  slug: string | undefined;
  #errors = 0;

  constructor(source: Source, scope: Scope) {
    this.source = source;
    this.scope = scope;
  }

  /** How many errors there are so far: a definition during which it grows does not count. */
  get errors(): number {
    return this.#errors;
  }

  tell(at: number, severity: Severity, code: DiagnosticCode, message: string, fix?: string): void {
    if (severity === "error") this.#errors++;
    this.diagnostics.push({
      file: this.source.file,
      ...positionAt(this.source, at),
      severity,
      code,
      ...(this.slug === undefined ? {} : { slug: this.slug }),
      message,
      ...(fix === undefined ? {} : { fix }),
    });
  }

  error(at: number, code: DiagnosticCode, message: string, fix?: string): void {
    this.tell(at, "error", code, message, fix);
  }

  warn(at: number, code: DiagnosticCode, message: string, fix?: string): void {
    this.tell(at, "warning", code, message, fix);
  }

  /** Tells what a parser found wrong. Of what it could not read the first only, as the rest mostly follows from it. */
  faults({ faults }: ParsedText): void {
    const first = faults.find(({ mended }) => !mended);
    for (const fault of faults.slice(0, MAX_FAULTS)) {
      const { at, code, message, fix, mended } = fault;
      if (mended || fault === first) this.tell(at, mended ? "warning" : "error", code, message, fix);
    }
  }

  line(at: number): number {
    return positionAt(this.source, at).line;
  }
}

const MAX_FAULTS = 10;
