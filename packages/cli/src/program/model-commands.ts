import { Option, type Command } from "commander";
import type { UsageOptions } from "../commands/model/usage.ts";
import { parsePositiveInteger } from "./parse-positive-integer.ts";

/** Models, and the keys of their providers. */
export function modelCommands(baton: Command): void {
  type Options = { json?: boolean };
  baton
    .command("models")
    .description("list the models that can be used now, local servers included")
    .option("--json")
    .action(async (options: Options) => (await import("../commands/model/models.ts")).models(options));

  baton
    .command("usage")
    .description("tokens and money of the last days")
    .addOption(
      new Option(
        "--by <what>",
        "rows by day (usual), by session with its subtasks, or by model; of one session by turn or by step",
      ).choices(["day", "session", "model", "turn", "step"]),
    )
    .option("--session <id>", "of this session only, by turn (usual) or by step")
    .option("--days <n>", "so many days, today included (30)", parsePositiveInteger)
    .option("--json")
    .action(async (options: UsageOptions) => (await import("../commands/model/usage.ts")).usage(options));

  const code = () => import("../commands/model/auth.ts");
  const auth = baton.command("auth").description("keys of providers");
  auth
    .command("list", { isDefault: true })
    .description("which providers have a key, and where it is")
    .option("--json")
    .action(async (options: Options) => (await code()).listKeys(options));
  auth
    .command("login <provider>")
    .description("give a provider a key: typed, or piped in")
    .option("--json")
    .action(async (provider: string, options: Options) => (await code()).login(provider, options));
  auth
    .command("logout <provider>")
    .description("forget a provider's key")
    .option("--json")
    .action(async (provider: string, options: Options) => (await code()).logout(provider, options));
}
