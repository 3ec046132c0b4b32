import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { openDatabase } from "../../../src/store/database/database.ts";
import { projectionStatements, openLists } from "../../../src/store/projections.ts";
import { openEventLog } from "../../../src/store/event-log.ts";
import type { Store } from "./store.ts";

/** The store of the real daemon, in a separate folder. Opening it again makes another connection to the same file. */
export async function libsqlStore(): Promise<Store & AsyncDisposable & { file: string }> {
  const folder = mkdtempSync(path.join(tmpdir(), "baton-simulated-"));
  const file = path.join(folder, "baton.db");
  let close = () => {};
  const open = async (): Promise<Store> => {
    close();
    const database = await openDatabase(file);
    close = () => database.close();
    return { log: openEventLog(database), lists: openLists(database), projectionStatements, reopen: open };
  };
  return {
    ...(await open()),
    file,
    [Symbol.asyncDispose]: async () => {
      close();
      rmSync(folder, { recursive: true });
    },
  };
}
