import { stat, readFile } from "node:fs/promises";

const MAX_CHARACTERS = 16_000;
const MAX_KEPT = 500;

/** Reads text files, each again only when it has changed. What is longer than 16,000 characters is cut, and says so. */
export function openCachedReader(): (file: string) => Promise<string | undefined> {
  const kept = new Map<string, { stamp: string; text: string }>();
  return async (file) => {
    const stats = await stat(file).catch(() => undefined); // a file that is not there says nothing
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

export type Reader = ReturnType<typeof openCachedReader>;

/** The person's own files may be links to anywhere; those of a project are looked at before. */
export type Readers = { own: Reader; project: Reader };
