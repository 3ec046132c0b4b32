import type { Diagnostic } from "vscode-languageserver-protocol";

type Published = { diagnostics: readonly Diagnostic[]; version: number | undefined };

/** The number of files of which diagnostics are kept, and of diagnostics of one file. A flood does not fill the memory. */
const MAX_FILES = 2_000;
const MAX_OF_FILE = 1_000;

/** How long a server is silent before its diagnostics count as complete, in milliseconds. */
const QUIET_MS = 200;
/** The same while a file is still without diagnostics, for a server that publishes only what has changed. */
const SILENCE_MS = 800;
const LOOK_MS = 25;

/** The diagnostics that a server has published on its own, and whether more are to be expected. */
export class PublishedDiagnostics {
  readonly #files = new Map<string, Published>();
  readonly #expected = new Map<string, number>();
  readonly #progress = new Set<string>();
  #changedAt = performance.now();
  /** The server does not publish diagnostics of every text that it receives. */
  #skipsUnchanged = false;
  #isEnded = false;

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

  /** The server has ended and publishes nothing anymore. */
  end(): void {
    this.#isEnded = true;
  }

  all(): Map<string, readonly Diagnostic[]> {
    return new Map([...this.#files].map(([file, { diagnostics }]) => [file, diagnostics]));
  }

  /** Waits until the server has published the diagnostics of all texts and is quiet, at most for this long. False if it took longer. */
  async settled(withinMs: number): Promise<boolean> {
    const until = performance.now() + withinMs;
    while (performance.now() < until) {
      if (this.#isEnded) throw new Error("the language server ended before it published its diagnostics");
      const quietFor = performance.now() - this.#changedAt;
      const isQuiet = this.#progress.size === 0 && quietFor >= (this.#expected.size === 0 ? QUIET_MS : SILENCE_MS);
      if (isQuiet && (this.#expected.size === 0 || this.#skipsUnchanged)) return true;
      await new Promise((next) => setTimeout(next, LOOK_MS));
    }
    return this.#expected.size === 0;
  }

  /** The server does not publish diagnostics that have not changed, so Baton no longer waits for them. */
  skipUnchanged(): void {
    this.#skipsUnchanged = true;
  }
}
