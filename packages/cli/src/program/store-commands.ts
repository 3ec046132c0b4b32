import type { Command } from "commander";

type Options = { json?: boolean };

/** The store: where all sessions lie. */
export function storeCommands(baton: Command): void {
  const db = baton.command("db").description("the store: check it, copy it, put a copy back");
  const code = () => import("../commands/daemon/db.ts");
  db.command("check")
    .description("read all of it and say what is wrong")
    .option("--json")
    .action(async (options: Options) => (await code()).checkDatabase(options));
  db.command("backup [file]")
    .description("copy it, among the daily copies when no file is named")
    .option("--json")
    .action(async (file: string | undefined, options: Options) => (await code()).backUpDatabase(file, options));
  db.command("restore [file]")
    .description("put a copy in its place, the newest when none is named; what was there is kept beside it")
    .option("--json")
    .action(async (file: string | undefined, options: Options) => (await code()).restoreDatabase(file, options));
  db.command("compact")
    .description("give back the room of what was removed")
    .option("--json")
    .action(async (options: Options) => (await code()).compactDatabase(options));
  db.command("rebuild")
    .description("rebuild lists, usage and snapshots from the events; Baton stops the daemon for it")
    .option("--json")
    .action(async (options: Options) => (await code()).rebuildDatabase(options));
}
