import { lstatSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { readFolder, statOf } from "../../disk-view.ts";
import { attempt } from "../files/path-on-disk.ts";
import { holdsKeys, isSecretFile, SETTINGS } from "../files/key-files.ts";

const LARGEST = 64 * 1024 * 1024;

const EXAMPLE = /\.env\.(example|sample|template|dist|defaults?|schema)$/;

/** Returns the secret files that git tracks around a folder, without examples of such files. Undefined if the index is unreadable. */
export const trackedSecrets = (folder: string): string[] | undefined =>
  trackedPaths(folder, "secrets")?.filter((file) => holdsKeys(file, true) && !EXAMPLE.test(file));

/** Returns the paths at which the repository around a folder keeps other repositories, as it does for submodules. */
export const gitlinksIn = (folder: string): string[] => trackedPaths(folder, "links") ?? [];

/** Returns all files that git tracks in the repository around a folder. Undefined if the list cannot be read. */
export const trackedFiles = (folder: string): string[] | undefined => trackedPaths(folder, "files");

/** True if git tracks a file. */
export const isTracked = (file: string): boolean => trackedFiles(path.dirname(file))?.includes(file) === true;

/**
 * True if git takes a tracked file for unchanged without a look at its content: its size and its times are those in the index, and older than the
 * index. Source: "racy git" in the technical documentation of git.
 */
export function isUnchanged(file: string): boolean {
  const found = repositoryOf(path.dirname(file));
  const [index, ...others] = found ? indexesIn(found.place) : [];
  const stat = attempt(() => lstatSync(file, { bigint: true }));
  const now = index === undefined ? undefined : statSync(index, { bigint: true });
  if (!found || index === undefined || others.length > 0 || !stat || !now || stat.mtimeNs / SECOND >= now.mtimeNs / SECOND) return false;
  const numbers = [stat.ctimeNs / SECOND, stat.ctimeNs % SECOND, stat.mtimeNs / SECOND, stat.mtimeNs % SECOND, stat.size];
  const bytes = Buffer.alloc(4 * numbers.length);
  for (const [i, number] of numbers.entries()) bytes.writeUInt32BE(Number(BigInt.asUintN(32, number)), 4 * i);
  return pathsIn(index, found.root)?.stamps.get(file) === bytes.toString("latin1");
}

const SECOND = 1_000_000_000n;

/** Returns the paths of one kind in the indexes of the repository around a folder. */
function trackedPaths(folder: string, kind: "files" | "secrets" | "links"): string[] | undefined {
  const found = repositoryOf(folder);
  const indexes = found ? indexesIn(found.place).map((index) => pathsIn(index, found.root)) : [];
  return indexes.includes(undefined) ? undefined : indexes.flatMap((paths) => paths?.[kind] ?? []);
}

/** Returns the repository around a folder: the root of its files, and the folder where git keeps its own data. */
export function repositoryOf(folder: string): { root: string; place: string } | undefined {
  for (let root = folder; ; root = path.dirname(root)) {
    const place = gitFolder(path.join(root, ".git"));
    if (place !== undefined) return { root, place };
    if (root === path.dirname(root)) return undefined;
  }
}

/** Resolves `.git`. In a worktree, it is a file that names the folder. */
export function gitFolder(dotGit: string): string | undefined {
  const there = attempt(() => statOf(dotGit));
  if (there?.isDirectory()) return dotGit;
  const [, named] = there?.isFile() && there.size < 10_000 ? (/^gitdir: (.+)$/m.exec(readFileSync(dotGit, "utf8")) ?? []) : [];
  return named === undefined ? undefined : path.resolve(path.dirname(dotGit), named);
}

/** Returns the index, and the indexes that it shares entries with. */
function indexesIn(place: string): string[] {
  const isThere = statOf(place)?.isDirectory() ?? false;
  const names = isThere ? readFolder(place).filter(({ name }) => name === "index" || name.startsWith("sharedindex.")) : [];
  return names.map(({ name }) => path.join(place, name));
}

/** The absolute paths of all files in an index, of files with secrets, and of other repositories. `stamps`: the times and the size of each file. */
type Paths = { files: string[]; secrets: string[]; links: string[]; stamps: ReadonlyMap<string, string> };

/** The most indexes that Baton remembers. It reads an index again only if it has changed, because many git calls need it. */
const MAX_KNOWN = 20;
const known = new Map<string, { stamp: string; paths: Paths | undefined }>();

/** Returns the paths in an index. Undefined if it cannot be read. */
function pathsIn(index: string, root: string): Paths | undefined {
  const stat = statSync(index, { throwIfNoEntry: false });
  if (!stat) return { files: [], secrets: [], links: [], stamps: new Map() }; // it no longer exists
  const stamp = `${root} ${stat.ino} ${stat.size} ${stat.mtimeMs}`;
  const before = known.get(index);
  if (before?.stamp === stamp) return before.paths;
  const bytes = !stat.isFile() || stat.size > LARGEST ? undefined : readFileSync(index);
  const entries = bytes?.toString("latin1", 0, 4) === "DIRC" ? (entriesIn(bytes, 20) ?? entriesIn(bytes, 32)) : undefined;
  const pathOf = ({ name }: Entry) => (root === "/" ? `/${name}` : `${root}/${name}`);
  const choose = (isChosen: (entry: Entry) => boolean) => (entries ?? []).filter(isChosen).map(pathOf);
  const paths = entries && {
    files: choose(() => true),
    secrets: choose(({ name }) => isSecretFile(name) || SETTINGS.test(name)),
    links: choose(({ mode }) => mode === LINK),
    stamps: new Map(entries.map((entry) => [pathOf(entry), entry.stamp])),
  };
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(index, { stamp, paths });
  return paths;
}

const LINK = 0o160000;
const MODES = new Set([0o100644, 0o100755, 0o120000, LINK, 0o040000]);
const BEFORE_HASH = 40;
const NOT_ASCII = /[\x80-\xff]/;

type Entry = { name: string; mode: number; stamp: string };

/** Returns the entries of an index with hashes of this many bytes. Undefined if it is no such index. Source: gitformat-index(5). */
function entriesIn(bytes: Buffer, hash: number): Entry[] | undefined {
  const version = bytes.readUInt32BE(4);
  const names: Entry[] = [];
  let at = 12;
  let name = "";
  for (let left = bytes.readUInt32BE(8); left > 0; left--) {
    if (at + BEFORE_HASH + hash + 3 > bytes.length) return undefined;
    const mode = bytes.readUInt32BE(at + 24);
    if (!MODES.has(mode)) return undefined;
    const isExtended = (bytes.readUInt16BE(at + BEFORE_HASH + hash) & 0x4000) !== 0;
    const from = at + BEFORE_HASH + hash + (isExtended ? 4 : 2);
    const cut = version === 4 ? varint(bytes, from) : { value: name.length, next: from };
    const end = bytes.indexOf(0, cut.next);
    if (end < 0 || cut.value > name.length) return undefined;
    name = name.slice(0, name.length - cut.value) + bytes.toString("latin1", cut.next, end);
    const stamp = bytes.toString("latin1", at, at + 16) + bytes.toString("latin1", at + 36, at + 40);
    names.push({ name: NOT_ASCII.test(name) ? Buffer.from(name, "latin1").toString("utf8") : name, mode, stamp });
    at = version === 4 ? end + 1 : at + ((end - at + 8) & ~7);
  }
  return names;
}

/** Reads a number with seven bits in each byte. Before each further byte, the value so far increases by one. */
function varint(bytes: Buffer, from: number): { value: number; next: number } {
  let next = from;
  let byte = bytes[next++] ?? 0;
  let value = byte & 127;
  while (byte & 128) {
    byte = bytes[next++] ?? 0;
    value = (value + 1) * 128 + (byte & 127);
  }
  return { value, next };
}
