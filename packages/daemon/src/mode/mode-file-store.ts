import { loadRegexEngine } from "@baton/core/text/regex";
import { stat } from "node:fs/promises";
import { formatReaders } from "./format/format-readers.ts";
import { findModeFiles, type FoundModeFile } from "./find-mode-files.ts";
import type { ModeLocation } from "./mode-locations.ts";
import { readStableFile, stampOfStats, type StableFile } from "./read-stable-file.ts";
import type { FileProblem, ModeReadResult, ReadMode } from "./mode-read-context.ts";
import type { ModeDiagnostic } from "./parse/diagnostic.ts";
import { watchFolders, type FolderWatch } from "./watch-folders.ts";

/** A mode with the file that defines it. */
export type StoredMode = ReadMode & { file: string; place: ModeLocation } & FileTimes;

/** In epoch milliseconds. */
type FileTimes = { createdAt?: number; updatedAt?: number };

type StoredFile = { times: FileTimes; stamp: string; at: FoundModeFile; modes: ReadMode[]; diagnostics: ModeDiagnostic[] };

/**
 * The modes of some locations, strongest first, kept up to date. The last version of a file stays in use while the file is invalid or being
 * written.
 */
export class ModeFileStore {
  readonly #places: readonly ModeLocation[];
  readonly #changed: () => void;
  readonly #strange: FileProblem;
  readonly #watch: FolderWatch;
  #kept = new Map<string, StoredFile>();
  #looking: Promise<void> = Promise.resolve();
  #waiting: Promise<void> | undefined;
  #version = 0;

  /** `changed` is called after modes or diagnostics have changed. `report` receives unexpected errors. */
  constructor(
    places: readonly ModeLocation[],
    changed: () => void,
    report: (problem: string, error: unknown) => void,
    strange: FileProblem = () => undefined,
  ) {
    this.#places = places;
    this.#strange = strange;
    this.#changed = changed;
    this.#watch = watchFolders(() => void this.look().catch((error: unknown) => report("mode files could not be read", error)));
  }

  /** Increases with every change. */
  get version(): number {
    return this.#version;
  }

  get modes(): StoredMode[] {
    return [...this.#kept.values()].flatMap(({ at, modes, times }) =>
      modes.map((mode) => ({ ...mode, ...times, file: at.file, place: at.place })),
    );
  }

  get diagnostics(): ModeDiagnostic[] {
    return [...this.#kept.values()].flatMap(({ diagnostics }) => diagnostics);
  }

  /** Checks all locations and reads the files that have changed. Checks never overlap; all callers that wait share the next one. */
  look(): Promise<void> {
    this.#waiting ??= this.#looking.then(() => {
      this.#waiting = undefined;
      const looking = this.#look();
      this.#looking = looking.catch(() => undefined);
      return looking;
    });
    return this.#waiting;
  }

  close(): void {
    this.#watch.close();
  }

  async #look(): Promise<void> {
    await loadRegexEngine();
    const found = await Promise.all(this.#places.map(findModeFiles));
    this.#watch.folders(found.flatMap(({ watch }) => watch));
    const before = this.#kept;
    const after = new Map<string, StoredFile>();
    for (const at of found.flatMap(({ files }) => files)) {
      const kept = await keep(at, before.get(at.file), this.#strange);
      if (kept) after.set(at.file, kept);
    }
    this.#kept = after;
    if ([...after.values()].some(({ diagnostics }) => diagnostics.some(({ code }) => code === "unsettled"))) this.#watch.again();
    if (same(before, after)) return;
    this.#version++;
    this.#changed();
  }
}

/** Reads a file again if it has changed. Undefined if the file was removed. */
async function keep(at: FoundModeFile, before: StoredFile | undefined, problemOf: FileProblem): Promise<StoredFile | undefined> {
  const strange = problemOf(at.file);
  const stats = await stat(at.file, { bigint: true }).catch(() => undefined);
  if (before && stats && strange === undefined && before.stamp === stampOfStats(stats)) return before;
  const times = stats ? { createdAt: Number(stats.birthtimeMs), updatedAt: Number(stats.mtimeMs) } : {};
  const settled = strange === undefined ? emptied(await readStableFile(at.file), before) : unreadable(strange);
  if (!settled) return undefined;
  if ("fault" in settled) {
    const { fault: code, message, stamp } = settled;
    if (before?.stamp === stamp) return before;
    const diagnostic: ModeDiagnostic = {
      file: at.file,
      line: 1,
      column: 1,
      severity: "error",
      code,
      message: `${message}${before ? " The last version stays in use." : ""}`,
      fix: FIXES[code],
    };
    // A file that is being written is checked again, whatever its stamp.
    return { times, stamp: code === "unsettled" ? "" : stamp, at, modes: before?.modes ?? [], diagnostics: [diagnostic] };
  }
  const read = await formatReaders[at.place.kind](at.file, settled.text, at.place.scope, at.name, problemOf);
  return { times, stamp: settled.stamp, at, modes: lastGood(read, before), diagnostics: read.diagnostics };
}

const unreadable = (message: string): StableFile => ({ fault: "unreadable", message, stamp: message });

const EMPTY_MS = 1_000;

/** A file that has just become empty is probably being rewritten. */
function emptied(settled: StableFile | undefined, before: StoredFile | undefined): StableFile | undefined {
  if (!settled || !("text" in settled) || settled.text.trim() !== "" || settled.age > EMPTY_MS || !before?.modes.length) return settled;
  return { fault: "unsettled", message: "The file has just become empty.", stamp: settled.stamp };
}

const FIXES = {
  file_too_large: "Split the file, or remove what is not a mode.",
  unreadable: "Replace it by a regular file that you can read.",
  unsettled: "Stop the program that writes it. Baton reads the file when it no longer changes.",
};

/** The modes of a file. While it has errors, the last versions of missing modes stay in use. */
function lastGood({ modes, diagnostics }: ModeReadResult, before: StoredFile | undefined): ReadMode[] {
  if (!before || diagnostics.every(({ severity }) => severity !== "error")) return modes;
  const slugs = new Set(modes.map(({ mode }) => mode.slug));
  return [...modes, ...before.modes.filter(({ mode }) => !slugs.has(mode.slug))];
}

const same = (before: ReadonlyMap<string, StoredFile>, after: ReadonlyMap<string, StoredFile>): boolean =>
  before.size === after.size && [...after].every(([file, kept]) => before.get(file) === kept);
