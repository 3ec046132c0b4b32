import { Option, type Command } from "commander";
import { HookEvent } from "@baton/core/protocol/hook";
import type { HookLogOptions, HookTestOptions } from "../commands/hook/hooks.ts";

/** Defines `baton hooks`. */
export function hookCommands(baton: Command): void {
  const code = () => import("../commands/hook/hooks.ts");
  const hooks = baton.command("hooks").description("list, test and follow hooks: your own commands at events of sessions");
  hooks
    .command("list", { isDefault: true })
    .description("list the hooks of this folder, and whether they may run")
    .option("--json", "print JSON")
    .action(async (options: { json?: boolean }) => (await code()).listHooks(options));
  hooks
    .command("test <event>")
    .description(
      `run the approved hooks of an event without a session, and show what they decide; the events are ${HookEvent.options.join(", ")}`,
    )
    .option("--tool <tool>", "the tool of a call")
    .option("--input <json>", "the arguments of the call as JSON")
    .option("--value <text>", "what the matcher compares, for events without a tool")
    .option("--prompt <text>", "the prompt, for UserPromptSubmit")
    .option("--mode <mode>", "the mode of the session")
    .option("--json", "print JSON")
    .action(async (event: string, options: HookTestOptions) => (await code()).testHooks(event, options));
  for (const [name, about] of [
    ["approve", "let hooks run, by the start of their hash; without one, all undecided ones of this folder"],
    ["refuse", "never run hooks, by the start of their hash; without one, all undecided ones of this folder"],
  ] as const)
    hooks
      .command(`${name} [hash...]`)
      .description(about)
      .option("--json", "print JSON")
      .action(async (hashes: string[], options: { json?: boolean }) => (await code()).setHookApproval(hashes, name === "approve", options));
  hooks
    .command("log [session]")
    .description("list what hooks decided in a session, or in the newest sessions of this folder")
    .addOption(new Option("--limit <n>", "how many runs to show").default(50).argParser(Number))
    .option("--json", "print JSON")
    .action(async (session: string | undefined, options: HookLogOptions) => (await code()).logHooks(session, options));
}
