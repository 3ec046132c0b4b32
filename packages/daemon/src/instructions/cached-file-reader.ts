import { stat, readFile } from "node:fs/promises";

const MAX_CHARACTERS = 16_000;
const MAX_KEPT = 500;

/** Reads text files and caches them until they change. Cuts text after 16,000 characters with a note. */
export function openCachedReader(): (file: string) => Promise<string | undefined> {
  const kept = new Map<string, { stamp: string; text: string }>();
  return async (file) => {
    const stats = await stat(file).catch(() => undefined); // the file does not exist
    if (!stats?.isFile()) return undefined;
    const stamp = `${stats.ino} ${stats.size} ${stats.mtimeMs}`;
    const before = kept.get(file);
    if (before?.stamp === stamp) return before.text;
    const whole = await readFile(file, "utf8").catch(() => "");
    const plain = whole.replace(/^\ufeff/, "").trim();
    const text = plain.length > MAX_CHARACTERS ? `${plain.slice(0, MAX_CHARACTERS)}\n(cut here; the file is longer)` : plain;
    if (kept.size >= MAX_KEPT) kept.clear();
    kept.set(file, { stamp, text });
    return text;
  };
}

export type CachedFileReader = ReturnType<typeof openCachedReader>;

/** The user's own files may be links to anywhere. Files of a project are checked first. */
export type InstructionReaders = { own: CachedFileReader; project: CachedFileReader };
