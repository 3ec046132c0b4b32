import { Argument, type Command } from "commander";
import { completionKinds, type CompletionKind } from "../commands/install/completion-kinds.ts";
import type { UninstallOptions } from "../commands/install/uninstall.ts";
import type { UpdateOptions } from "../commands/install/update.ts";

type Options = { json?: boolean };

/** Defines `baton service`, `update`, `uninstall` and `completion`. */
export function installCommands(baton: Command): void {
  const service = baton.command("service").description("run the daemon as a service, so that work continues after a restart");
  const code = () => import("../commands/install/service.ts");
  service
    .command("install")
    .description("install the service and start it")
    .option("--json", "print JSON")
    .action(async (options: Options) => (await code()).installService(options));
  service
    .command("status")
    .description("show whether the service is installed and running")
    .option("--json", "print JSON")
    .action(async (options: Options) => (await code()).serviceStatus(options));
  service
    .command("uninstall")
    .description("stop and remove the service; sessions are kept")
    .option("--json", "print JSON")
    .action(async (options: Options) => (await code()).uninstallService(options));

  baton
    .command("update [version]")
    .description("update Baton to the newest version, to this version, or to a tarball; open requests are kept")
    .option("--rollback", "return to the version before the last update")
    .option("--restore", "with --rollback: also restore the store from before the update")
    .option("--json", "print JSON")
    .action(async (version: string | undefined, options: UpdateOptions) =>
      (await import("../commands/install/update.ts")).update(version, options),
    );

  baton
    .command("uninstall")
    .description("remove Baton and its data from this machine")
    .option("--keep-sessions", "keep sessions, keys and config")
    .option("--yes", "do not ask")
    .option("--json", "print JSON")
    .action(async (options: UninstallOptions) => (await import("../commands/install/uninstall.ts")).uninstall(options));

  baton
    .command("complete", { hidden: true })
    .description("print names for the completion of a shell")
    .addArgument(new Argument("<kind>").choices(completionKinds))
    .action(async (kind: CompletionKind) => (await import("../commands/install/complete-names.ts")).printNames(kind));

  baton
    .command("completion")
    .description("print a completion script for a shell, or the manual page")
    .addArgument(new Argument("<shell>").choices(["bash", "zsh", "fish", "man"]))
    .action(async (shell: "bash" | "zsh" | "fish" | "man") =>
      (await import("../commands/install/completion.ts")).printCompletion(shell, baton),
    );
}
