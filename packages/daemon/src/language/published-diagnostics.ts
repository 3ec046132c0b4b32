import type { Diagnostic } from "vscode-languageserver-protocol";

type Published = { diagnostics: readonly Diagnostic[]; version: number | undefined };

/** The number of files of which diagnostics are kept, and of diagnostics of one file. A flood does not fill the memory. */
const MAX_FILES = 2_000;
const MAX_OF_FILE = 1_000;

/** How long a server is silent before its diagnostics count as complete, in milliseconds. */
const QUIET_MS = 150;
/** The same while a file is still without diagnostics. Some servers publish only what has changed. */
const SILENCE_MS = 800;
const LOOK_MS = 25;

/** The diagnostics that a server has published on its own, and whether more are to be expected. */
export class PublishedDiagnostics {
  readonly #files = new Map<string, Published>();
  readonly #expected = new Map<string, number>();
  readonly #progress = new Set<string>();
  #changedAt = performance.now();

  put(file: string, diagnostics: readonly Diagnostic[], version: number | undefined): void {
    this.#changedAt = performance.now();
    const expected = this.#expected.get(file);
    if (expected !== undefined && (version === undefined || version >= expected)) this.#expected.delete(file);
    this.#files.delete(file);
    if (diagnostics.length > 0) this.#files.set(file, { diagnostics: diagnostics.slice(0, MAX_OF_FILE), version });
    const [oldest] = this.#files.keys();
    if (this.#files.size > MAX_FILES && oldest !== undefined) this.#files.delete(oldest);
  }

  /** The server is going to publish diagnostics of this text. */
  expect(file: string, version: number): void {
    this.#changedAt = performance.now();
    this.#expected.set(file, version);
  }

  forget(file: string): void {
    this.#files.delete(file);
    this.#expected.delete(file);
  }

  progress(token: string, isRunning: boolean): void {
    this.#changedAt = performance.now();
    if (isRunning) this.#progress.add(token);
    else this.#progress.delete(token);
  }

  all(): Map<string, readonly Diagnostic[]> {
    return new Map([...this.#files].map(([file, { diagnostics }]) => [file, diagnostics]));
  }

  /** Waits until the server has nothing more to say, at most for this long. */
  async settled(withinMs: number): Promise<void> {
    const until = performance.now() + withinMs;
    while (performance.now() < until) {
      const quietFor = performance.now() - this.#changedAt;
      if (this.#progress.size === 0 && quietFor >= (this.#expected.size === 0 ? QUIET_MS : SILENCE_MS)) return;
      await new Promise((next) => setTimeout(next, LOOK_MS));
    }
  }
}
