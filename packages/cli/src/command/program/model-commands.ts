import type { Command } from "commander";

/** Models, and the keys of their providers. */
export function modelCommands(baton: Command): void {
  type Options = { json?: boolean };
  baton
    .command("models")
    .description("list the models that can be used now, local servers included")
    .option("--json")
    .action(async (options: Options) => (await import("../models.ts")).models(options));

  const code = () => import("../auth.ts");
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
