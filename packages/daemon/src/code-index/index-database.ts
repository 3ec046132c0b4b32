import { existsSync, rmSync, statSync } from "node:fs";
import { makePrivateFolder } from "../client/make-private-folder.ts";
import path from "node:path";
import { openSqlite } from "../store/database/sqlite-version.ts";
import { IndexedFiles } from "./indexed-files.ts";

/** A change of this number discards all indexes of earlier versions. */
const VERSION = "1";

const SCHEMA = `
  CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE block (number INTEGER PRIMARY KEY, data BLOB NOT NULL);
  CREATE VIRTUAL TABLE word USING fts5(words, content='', columnsize=0, detail=none, tokenize='ascii');
`;

/**
 * The file of an index. It stores the catalog, and for each file of the workspace a row of words. It stores no text: excerpts are read from
 * the files when they are needed.
 */
export type IndexFile = {
  catalog: IndexedFiles;
  /** Stores new rows of words together with all changes of the catalog. */
  save: (rows: readonly [doc: number, words: string][]) => void;
  /** The rows that contain a word. */
  find: (word: string) => number[];
  /** Makes the file as small as possible. */
  compact: () => void;
  /** False if somebody deleted or replaced the file. */
  isThere: () => boolean;
  close: () => void;
};

/** Opens the index of a folder. If it is missing, damaged, or of another version, it starts empty. */
export function openIndexFile(file: string, root: string): IndexFile {
  makePrivateFolder(path.dirname(file));
  try {
    return open(file, root);
  } catch (error) {
    if (!existsSync(file) || !isUseless(error)) throw error;
    removeIndexFile(file);
    return open(file, root);
  }
}

export function removeIndexFile(file: string): void {
  for (const end of ["", "-journal"]) rmSync(file + end, { force: true });
}

class OtherVersion extends Error {}

/** True unless the disk or the permissions are the reason. */
const isUseless = (error: unknown): boolean =>
  error instanceof Error && !/SQLITE_(FULL|IOERR|CANTOPEN|READONLY|BUSY|LOCKED)/.test("code" in error ? String(error.code) : "");

function open(file: string, root: string): IndexFile {
  const { driver } = openSqlite(file, { writes: true });
  try {
    // Small pages waste less space in the index of a small folder. A power failure may damage the file. It is then built again.
    driver.exec(
      "PRAGMA page_size=1024; PRAGMA journal_mode=DELETE; PRAGMA synchronous=OFF; PRAGMA secure_delete=ON; PRAGMA cache_size=-16000",
    );
    prepare(driver, root);
    const catalog = new IndexedFiles();
    for (const { number, data } of driver.prepare("SELECT number, data FROM block ORDER BY number").all() as StoredBlock[])
      catalog.load(number, data);
    const last = driver.prepare("SELECT value FROM about WHERE name = 'rows'").get() as { value: string };
    catalog.loaded(Number(last.value));
    const inserted = driver.prepare("INSERT INTO word (rowid, words) VALUES (?, ?)");
    const replaced = driver.prepare("INSERT OR REPLACE INTO block (number, data) VALUES (?, ?)");
    const counted = driver.prepare("UPDATE about SET value = ? WHERE name = 'rows'");
    const matching = driver.prepare("SELECT rowid FROM word WHERE word MATCH ?");
    const { ino } = statSync(file);
    return {
      catalog,
      save: (rows) =>
        atOnce(driver, () => {
          for (const [doc, words] of rows) inserted.run([doc, words]);
          for (const [number, data] of catalog.takeChanged()) replaced.run([number, data]);
          const newest = rows.at(-1);
          if (newest) counted.run([String(newest[0])]);
        }),
      find: (word) => (matching.all([`"${word.replaceAll('"', "")}"`]) as { rowid: number }[]).map(({ rowid }) => rowid),
      compact: () => driver.exec("INSERT INTO word (word) VALUES ('optimize'); VACUUM"),
      isThere: () => statSync(file, { throwIfNoEntry: false })?.ino === ino,
      close: () => driver.close(),
    };
  } catch (error) {
    driver.close();
    throw error;
  }
}

/** Unlike the driver's own transactions, this throws the error of a full disk, after which there may be nothing to roll back. */
function atOnce(driver: Driver, work: () => void): void {
  driver.exec("BEGIN IMMEDIATE");
  try {
    work();
    driver.exec("COMMIT");
  } catch (error) {
    rollBack(driver);
    throw error;
  }
}

/** Frees the lock of the file, which `close` does not do while statements are prepared. */
function rollBack(driver: Driver): void {
  try {
    driver.exec("ROLLBACK");
  } catch {
    // the error has already rolled it back
  }
}

type Driver = ReturnType<typeof openSqlite>["driver"];
type StoredBlock = { number: number; data: Uint8Array };

function prepare(driver: Driver, root: string): void {
  const tables = driver.prepare("SELECT count(*) AS n FROM sqlite_master").get() as { n: number };
  if (tables.n === 0) {
    driver.exec(`BEGIN; ${SCHEMA} COMMIT`);
    const insert = driver.prepare("INSERT INTO about (name, value) VALUES (?, ?)");
    for (const row of [
      ["rows", "0"],
      ["root", root],
      ["version", VERSION],
    ])
      insert.run(row);
  }
  const found = driver.prepare("SELECT value FROM about WHERE name = 'version'").get() as { value: string } | undefined;
  if (found?.value !== VERSION) throw new OtherVersion("an index of another version");
}
