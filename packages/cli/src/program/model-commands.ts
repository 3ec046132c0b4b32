import { Option, type Command } from "commander";
import type { UsageOptions } from "../commands/model/usage.ts";
import { parsePositiveInteger } from "./option/parse-positive-integer.ts";

/** Defines `baton models`, `usage` and `auth`. */
export function modelCommands(baton: Command): void {
  type Options = { json?: boolean };
  const catalog = () => import("../commands/model/refresh-catalog.ts");
  const models = baton.command("models").description("list available models, and load their prices and sizes");
  models
    .command("list", { isDefault: true })
    .description("list available models, including local servers")
    .option("--json", "print JSON")
    .action(async (options: Options) => (await import("../commands/model/models.ts")).models(options));
  models
    .command("refresh <source>")
    .description("load prices and sizes of models from a file or an address, in the form of https://models.dev/api.json")
    .option("--json", "print JSON")
    .action(async (source: string, options: Options) => (await catalog()).refreshCatalog(source, options));
  models
    .command("reset")
    .description("return to the prices and sizes that ship with Baton")
    .option("--json", "print JSON")
    .action(async (options: Options) => (await catalog()).resetCatalog(options));

  baton
    .command("usage")
    .description("show tokens and cost of the last days")
    .addOption(
      new Option("--by <what>", "group by day (default), session or model; with --session by turn or step").choices([
        "day",
        "session",
        "model",
        "turn",
        "step",
      ]),
    )
    .option("--session <id>", "show one session, by turn (default) or step")
    .option("--days <n>", "number of days, including today (default: 30)", parsePositiveInteger)
    .option("--json", "print JSON")
    .action(async (options: UsageOptions) => (await import("../commands/model/usage.ts")).printUsage(options));

  const code = () => import("../commands/model/auth.ts");
  const auth = baton.command("auth").description("manage API keys of providers");
  auth
    .command("list", { isDefault: true })
    .description("list providers that have a key, and where it is stored")
    .option("--json", "print JSON")
    .action(async (options: Options) => (await code()).listKeys(options));
  auth
    .command("login <provider>")
    .description("store a key for a provider; type it or pipe it in")
    .option("--json", "print JSON")
    .action(async (provider: string, options: Options) => (await code()).login(provider, options));
  auth
    .command("logout <provider>")
    .description("delete the stored key of a provider")
    .option("--json", "print JSON")
    .action(async (provider: string, options: Options) => (await code()).logout(provider, options));
}
