import type { Command } from "commander";

type Options = { json?: boolean };

/** Defines `baton db`. */
export function storeCommands(baton: Command): void {
  const db = baton.command("db").description("check, back up and restore the store");
  const code = () => import("../commands/daemon/database.ts");
  db.command("check")
    .description("check the whole store")
    .option("--json", "print JSON")
    .action(async (options: Options) => (await code()).checkDatabase(options));
  db.command("backup [file]")
    .description("copy the store to a file, or to the folder of daily backups")
    .option("--json", "print JSON")
    .action(async (file: string | undefined, options: Options) => (await code()).backUpDatabase(file, options));
  db.command("restore [file]")
    .description("restore a backup, by default the newest; the current store is kept")
    .option("--json", "print JSON")
    .action(async (file: string | undefined, options: Options) => (await code()).restoreDatabase(file, options));
  db.command("compact")
    .description("reclaim disk space of deleted data")
    .option("--json", "print JSON")
    .action(async (options: Options) => (await code()).compactDatabase(options));
  db.command("rebuild")
    .description("rebuild lists, usage and snapshots from the events; stops the daemon meanwhile")
    .option("--json", "print JSON")
    .action(async (options: Options) => (await code()).rebuildDatabase(options));
}
