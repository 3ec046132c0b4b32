import type { Refusal } from "@baton/core/protocol/refusal";
import { openAiCompatible } from "./openai-compatible.ts";
import type { Model } from "./provider.ts";
import { scriptFile, scripted } from "./scripted.ts";

/** A provider of the config, its key already looked up. */
export type ProviderSettings = {
  name: string;
  baseUrl: string;
  apiKey?: string | undefined;
  timeoutMs?: number | undefined;
  models: readonly string[];
};

/** A way to reach models that was found on this machine: a key in the environment or a server on its usual port. */
export type KnownProvider = { name: string; baseUrl: string; keyName?: string };

/** Services and local servers that speak OpenAI-compatible chat completions, with their usual places. */
export const knownProviders: readonly KnownProvider[] = [
  { name: "openai", baseUrl: "https://api.openai.com/v1", keyName: "OPENAI_API_KEY" },
  { name: "openrouter", baseUrl: "https://openrouter.ai/api/v1", keyName: "OPENROUTER_API_KEY" },
  { name: "mistral", baseUrl: "https://api.mistral.ai/v1", keyName: "MISTRAL_API_KEY" },
  { name: "groq", baseUrl: "https://api.groq.com/openai/v1", keyName: "GROQ_API_KEY" },
  { name: "deepseek", baseUrl: "https://api.deepseek.com/v1", keyName: "DEEPSEEK_API_KEY" },
  { name: "xai", baseUrl: "https://api.x.ai/v1", keyName: "XAI_API_KEY" },
  { name: "ollama", baseUrl: "http://127.0.0.1:11434/v1" },
  { name: "lmstudio", baseUrl: "http://127.0.0.1:1234/v1" },
  { name: "llamacpp", baseUrl: "http://127.0.0.1:8080/v1" },
  { name: "vllm", baseUrl: "http://127.0.0.1:8000/v1" },
];

export type CatalogSettings = {
  model?: string | undefined;
  providers: readonly ProviderSettings[];
  env: Record<string, string | undefined>;
  demo: string;
};

export type Catalog = {
  /** Whether a name can be resolved: `provider/model`, `demo/tour` or `scripted/<file>`. */
  knows(model: string): boolean;
  /** The first of the wanted models that is named, else the configured one; or why there is none. */
  resolve(wanted: readonly (string | undefined)[]): { id: string; model: Model } | Refusal;
};

/** All models there are, by name. Settings are asked for at each use, as the config may change while the daemon runs. */
export function openCatalog(settings: () => CatalogSettings): Catalog {
  const made = new Map<string, Model>();

  const find = (id: string): Model | undefined => {
    const { providers, env, demo } = settings();
    const slash = id.indexOf("/");
    const [provider, name] = [id.slice(0, slash), id.slice(slash + 1)];
    if (slash < 1 || name === "") return undefined;
    if (provider === "scripted") return cached(id, () => scripted(scriptFile(name)));
    if (id === "demo/tour") return cached(id, () => scripted(scriptFile(demo)));
    const known = [...providers, ...fromEnvironment(env)].find((candidate) => candidate.name === provider);
    if (!known) return undefined;
    const { baseUrl, apiKey, timeoutMs } = known;
    return cached(JSON.stringify([id, baseUrl, apiKey, timeoutMs]), () =>
      openAiCompatible({ name: provider, baseUrl, apiKey, timeoutMs, model: name }),
    );
  };

  const cached = (key: string, make: () => Model): Model => {
    const model = made.get(key) ?? make();
    made.set(key, model);
    return model;
  };

  return {
    knows: (id) => find(id) !== undefined,
    resolve(wanted) {
      const id = wanted.find((name) => name !== undefined) ?? settings().model;
      if (id === undefined) return { code: "no_model", message: NO_MODEL };
      const model = find(id);
      return model
        ? { id, model }
        : {
            code: "model_not_found",
            message: `There is no model "${id}". Write it as provider/model; \`baton doctor\` lists the providers that are set up.`,
          };
    },
  };
}

const NO_MODEL =
  'No model is configured. Set "model" in config.jsonc or BATON_MODEL to provider/model (`baton doctor` says what was found), or try --model demo/tour.';

const fromEnvironment = (env: Record<string, string | undefined>): ProviderSettings[] =>
  knownProviders
    .filter(({ keyName }) => keyName === undefined || env[keyName])
    .map(({ name, baseUrl, keyName }) => ({ name, baseUrl, models: [], ...(keyName === undefined ? {} : { apiKey: env[keyName] }) }));
