import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { attempt } from "../files/path-on-disk.ts";
import { KEY_ENDS, holdsToken, isSecretFile, SETTINGS } from "../files/find-secrets.ts";

const LARGEST = 64 * 1024 * 1024;

const EXAMPLE = /\.env\.(example|sample|template|dist|defaults?|schema)$/;

/** Returns the secret files that git tracks around a folder, without examples of such files. Undefined if the index is unreadable. */
export function trackedSecrets(folder: string): string[] | undefined {
  const found = repositoryOf(folder);
  const names = found ? indexesIn(found.place).map((index) => storedIn(index).secrets) : [];
  if (names.includes(undefined)) return undefined;
  const secrets = [...new Set(names.flatMap((some) => some ?? []))].map((name) => path.join(found?.root ?? "", name));
  return secrets.filter((file) => (isSecretFile(file) || holdsToken(file)) && !EXAMPLE.test(file));
}

/** Returns the paths at which the repository around a folder keeps other repositories, as it does for submodules. */
export function gitlinksIn(folder: string): string[] {
  const found = repositoryOf(folder);
  return found ? indexesIn(found.place).flatMap((index) => storedIn(index).links.map((name) => path.join(found.root, name))) : [];
}

/** Returns all files that git tracks in the repository around a folder, by paths from its root. Undefined if the list cannot be read. */
export function trackedFiles(folder: string): string[] | undefined {
  const found = repositoryOf(folder);
  const indexes = found ? indexesIn(found.place) : [];
  if (indexes.some((index) => (statSync(index, { throwIfNoEntry: false })?.size ?? 0) > LARGEST)) return undefined;
  const names = indexes.map((index) => {
    const bytes = readFileSync(index);
    return (entriesIn(bytes, 20) ?? entriesIn(bytes, 32))?.map(({ name }) => name);
  });
  return names.includes(undefined) ? undefined : names.flatMap((some) => some ?? []);
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
  const there = attempt(() => statSync(dotGit, { throwIfNoEntry: false }));
  if (there?.isDirectory()) return dotGit;
  const [, named] = there?.isFile() && there.size < 10_000 ? (/^gitdir: (.+)$/m.exec(readFileSync(dotGit, "utf8")) ?? []) : [];
  return named === undefined ? undefined : path.resolve(path.dirname(dotGit), named);
}

/** Returns the index, and the indexes that it shares entries with. */
function indexesIn(place: string): string[] {
  const isThere = statSync(place, { throwIfNoEntry: false })?.isDirectory() ?? false;
  const names = isThere ? readdirSync(place).filter((name) => name === "index" || name.startsWith("sharedindex.")) : [];
  return names.map((name) => path.join(place, name));
}

/** The most indexes that Baton remembers. It reads an index again only if it has changed, because many git calls need it. */
const MAX_KNOWN = 100;
const known = new Map<string, { stamp: string; entries: Entries }>();

/** The secret files in an index, undefined if it cannot be read, and the other repositories in it. */
type Entries = { secrets: string[] | undefined; links: string[] };

function storedIn(index: string): Entries {
  const stat = statSync(index, { throwIfNoEntry: false });
  if (!stat) return { secrets: [], links: [] }; // it no longer exists
  const stamp = `${stat.ino} ${stat.size} ${stat.mtimeMs}`;
  const before = known.get(index);
  if (before?.stamp === stamp) return before.entries;
  const entries = stat.size > LARGEST ? { secrets: undefined, links: [] } : read(index);
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(index, { stamp, entries });
  return entries;
}

function read(index: string): Entries {
  const bytes = readFileSync(index);
  if (bytes.toString("latin1", 0, 4) !== "DIRC") return { secrets: undefined, links: [] };
  // Only version 4 shortens names. In other versions, one search of all bytes shows whether there is such an entry.
  if (bytes.readUInt32BE(4) !== 4 && !bytes.includes(LINK_MODE) && !SECRET.test(bytes.toString("latin1")))
    return { secrets: [], links: [] };
  const all = entriesIn(bytes, 20) ?? entriesIn(bytes, 32);
  const names = (chooses: (entry: Entry) => boolean) => all?.filter(chooses).map(({ name }) => name);
  return {
    secrets: names(({ name }) => isSecretFile(name) || SETTINGS.test(name)),
    links: names(({ mode }) => mode === LINK) ?? [],
  };
}

const LINK = 0o160000;
const LINK_MODE = Buffer.from([0, 0, LINK >> 8, LINK & 0xff]);

const SECRET = new RegExp(`(\\.env[^/\\0]*|${KEY_ENDS}|\\.npmrc|\\.yarnrc\\.yml|\\.gitconfig)\\0`);
const MODES = new Set([0o100644, 0o100755, 0o120000, 0o160000, 0o040000]);
const BEFORE_HASH = 40;

type Entry = { name: string; mode: number };

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
    names.push({ name: Buffer.from(name, "latin1").toString("utf8"), mode });
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
