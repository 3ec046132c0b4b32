import type { Command } from "commander";

/** Defines `baton background`. */
export function backgroundCommands(baton: Command): void {
  const code = () => import("../commands/session/background-commands.ts");
  const background = baton.command("background").description("list, follow and stop the commands that agents run in the background");
  background
    .command("list [session]", { isDefault: true })
    .description("list the background commands of a session, or of the newest sessions, with their outcomes")
    .option("--here", "only sessions of this folder")
    .option("--json", "print JSON")
    .action(async (session: string | undefined, options: { here?: boolean; json?: boolean }) =>
      (await code()).listBackground(session, options),
    );
  background
    .command("output <session> <id>")
    .description("print the newest output of a command")
    .option("--follow", "also print new output until the command ends")
    .action(async (session: string, id: string, options: { follow?: boolean }) => (await code()).printOutput(session, id, options));
  background
    .command("attach <session> <id>")
    .description("use the terminal of a command in this terminal; Ctrl+] leaves it")
    .action(async (session: string, id: string) => (await import("../commands/session/attach-terminal.ts")).attachCommand(session, id));
  background
    .command("stop <session> <id>")
    .description("stop a command with its child processes")
    .option("--json", "print JSON")
    .action(async (session: string, id: string, options: { json?: boolean }) => (await code()).stopBackground(session, id, options));
}
