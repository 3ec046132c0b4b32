import { tourOf } from "../api/demo-project.ts";
import type { LoadedConfig } from "../../config/load-config.ts";
import { providerSettings } from "../../config/provider-settings.ts";
import type { openModelRegistry } from "../../model/model-registry.ts";
import type { ModeRegistry } from "../../mode/mode-registry.ts";

type Settings = Omit<ReturnType<Parameters<typeof openModelRegistry>[0]>, "stored">;

/** The settings of the model registry: the config's providers, those that the user's modes name, and the environment. */
export function modelRegistrySettings(
  { config, diagnostics }: LoadedConfig,
  modes: ModeRegistry,
  env: Record<string, string | undefined>,
  sample: string | undefined,
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
    demo: env["BATON_DEMO_SCRIPT"] ?? (sample === undefined ? undefined : tourOf(sample)),
    broken: brokenBy(diagnostics),
  };
}

/** The first error of config.jsonc, with its position. */
function brokenBy(diagnostics: LoadedConfig["diagnostics"]): string | undefined {
  const [first, ...more] = diagnostics.filter(({ severity }) => severity === "error");
  if (!first) return undefined;
  const also = more.length === 0 ? "" : ` (and ${more.length} more)`;
  return `${first.file}:${first.line}:${first.column} has an error${also}, so its models may be ignored: ${first.message} Fix it there. The daemon reads the file again when it changes.`;
}
