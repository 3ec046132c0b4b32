import type { Command } from "commander";

/** The process that owns the sessions, and its settings. */
export function daemonCommands(baton: Command): void {
  const daemon = baton.command("daemon").description("the process that owns the sessions");
  type Options = { json?: boolean };
  const code = () => import("../commands/daemon/daemon.ts");
  daemon
    .command("start")
    .description("start it unless it runs")
    .option("--json")
    .action(async (options: Options) => (await code()).startDaemon(options));
  daemon
    .command("stop")
    .description("let it drain and end")
    .option("--json")
    .action(async (options: Options) => (await code()).stopDaemon(options));
  daemon
    .command("restart")
    .description("stop and start it")
    .option("--json")
    .action(async (options: Options) => (await code()).restartDaemon(options));
  daemon
    .command("status")
    .description("how it stands")
    .option("--json")
    .action(async (options: Options) => (await code()).daemonStatus(options));
  daemon
    .command("run")
    .description("run it in the foreground")
    .action(async () => (await code()).runDaemon());
  baton
    .command("config")
    .description("your settings")
    .command("schema")
    .description("print what may stand in config.jsonc, as a JSON Schema for editors")
    .action(async () => (await import("../commands/daemon/config-schema.ts")).printSchema());
  daemon
    .command("logs")
    .description("print its log")
    .option("-f, --follow", "go on as it grows")
    .option("--json", "as it lies in its file, one JSON object per line")
    .action(async (options: Options & { follow?: boolean }) => (await import("../commands/daemon/daemon-logs.ts")).daemonLogs(options));
}
