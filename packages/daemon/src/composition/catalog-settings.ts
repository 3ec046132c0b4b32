import type { LoadedConfig } from "../config/load-config.ts";
import { providerSettings } from "../config/provider-settings.ts";
import type { openModelRegistry } from "../model/model-registry.ts";
import type { ModeRegistry } from "../mode/mode-registry.ts";

type Settings = Omit<ReturnType<Parameters<typeof openModelRegistry>[0]>, "stored">;

/** What the models are made of: the config's providers, those that a person's own modes name, and the environment. */
export function catalogSettings(
  { config, diagnostics }: LoadedConfig,
  modes: ModeRegistry,
  env: Record<string, string | undefined>,
): Settings {
  const endpoints = modes.endpoints().map(({ slug, model }) => ({
    name: model?.provider ?? slug,
    kind: "openai-compatible" as const,
    baseUrl: model?.baseUrl ?? "",
    models: {},
  }));
  return {
    model: env["BATON_MODEL"] ?? config.model,
    providers: [...providerSettings(config, env), ...endpoints],
    env,
    demo: env["BATON_DEMO_SCRIPT"],
    broken: brokenBy(diagnostics),
  };
}

/** The first error of config.jsonc, with its place. */
function brokenBy(diagnostics: LoadedConfig["diagnostics"]): string | undefined {
  const [first, ...more] = diagnostics.filter(({ severity }) => severity === "error");
  if (!first) return undefined;
  const also = more.length === 0 ? "" : ` (and ${more.length} more)`;
  return `${first.file}:${first.line}:${first.column} has an error${also}, so what it says of models may not count: ${first.message} Fix it there; the daemon reads the file again by itself.`;
}
