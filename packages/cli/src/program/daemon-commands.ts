import type { Command } from "commander";

/** Defines `baton daemon` and `baton config`. */
export function daemonCommands(baton: Command): void {
  const daemon = baton.command("daemon").description("manage the daemon, which runs the sessions");
  type Options = { json?: boolean };
  const code = () => import("../commands/daemon/daemon.ts");
  daemon
    .command("start")
    .description("start the daemon if it is not running")
    .option("--json", "print JSON")
    .action(async (options: Options) => (await code()).startDaemon(options));
  daemon
    .command("stop")
    .description("stop the daemon; open requests are kept")
    .option("--json", "print JSON")
    .action(async (options: Options) => (await code()).stopDaemon(options));
  daemon
    .command("restart")
    .description("restart the daemon")
    .option("--json", "print JSON")
    .action(async (options: Options) => (await code()).restartDaemon(options));
  daemon
    .command("status")
    .description("show whether the daemon is running, and any problems")
    .option("--json", "print JSON")
    .action(async (options: Options) => (await code()).printDaemonStatus(options));
  daemon
    .command("run")
    .description("run the daemon in the foreground")
    .action(async () => (await code()).runDaemon());
  baton
    .command("config")
    .description("show information about the config")
    .command("schema")
    .description("print a JSON Schema of config.jsonc for editors")
    .action(async () => (await import("../commands/daemon/config-schema.ts")).printSchema());
  daemon
    .command("logs")
    .description("print the daemon's log")
    .option("-f, --follow", "keep printing new lines")
    .option("--json", "print the log as JSON lines")
    .action(async (options: Options & { follow?: boolean }) => (await import("../commands/daemon/daemon-logs.ts")).daemonLogs(options));
}
