import { readFile, rm } from "node:fs/promises";
import writeFileAtomic from "write-file-atomic";
import type { ModelCatalogFile } from "./model-info.ts";

/** A catalog of models that the user loaded. `source`: the file or address. `at`: epoch milliseconds. */
export type StoredCatalog = { source: string; at: number; providers: ModelCatalogFile };

/** The user's catalog. It exists until the user resets it. */
export type CatalogStore = {
  read: () => Promise<StoredCatalog | undefined>;
  write: (catalog: StoredCatalog) => Promise<void>;
  /** False if there was none. */
  remove: () => Promise<boolean>;
};

/** Keeps the catalog in a file that only Baton writes. An unreadable file counts as none, and `report` tells the user. */
export function openCatalogStore(file: string, report: (problem: string, error: unknown) => void): CatalogStore {
  const read = async (): Promise<StoredCatalog | undefined> => {
    try {
      return JSON.parse(await readFile(file, "utf8")) as StoredCatalog; // written below
    } catch (error) {
      if (!isMissing(error)) report(`${file} could not be read, so the catalog of models that ships with Baton applies`, error);
      return undefined;
    }
  };
  return {
    read,
    write: (catalog) => writeFileAtomic(file, JSON.stringify(catalog)),
    async remove() {
      const isThere = (await read()) !== undefined;
      await rm(file, { force: true });
      return isThere;
    },
  };
}

const isMissing = (error: unknown): boolean => error instanceof Error && "code" in error && error.code === "ENOENT";
