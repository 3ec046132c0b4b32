import type { ModelSources } from "../../render/lists/start-screen.ts";

/** Well-known names of API keys. Baton only checks whether they are set, and never shows a value. */
export const KNOWN_API_KEYS: readonly { name: string; provider: string }[] = [
  { name: "ANTHROPIC_API_KEY", provider: "anthropic" },
  { name: "OPENAI_API_KEY", provider: "openai" },
  { name: "GOOGLE_GENERATIVE_AI_API_KEY", provider: "google" },
  { name: "GEMINI_API_KEY", provider: "google" },
  { name: "OPENROUTER_API_KEY", provider: "openrouter" },
  { name: "MISTRAL_API_KEY", provider: "mistral" },
  { name: "GROQ_API_KEY", provider: "groq" },
  { name: "DEEPSEEK_API_KEY", provider: "deepseek" },
  { name: "XAI_API_KEY", provider: "xai" },
];

const SERVERS = [
  { name: "ollama", port: 11434 },
  { name: "lmstudio", port: 1234 },
  { name: "llamacpp", port: 8080 },
  { name: "vllm", port: 8000 },
];

const PATIENCE_MS = 500;

/** Finds possible models on this machine: keys in the environment, and model servers on their usual local ports. */
export async function detectModelSources(env: Record<string, string | undefined>): Promise<ModelSources> {
  const answered = await Promise.all(SERVERS.map(({ name, port }) => modelsAt(name, `http://127.0.0.1:${port}/v1`)));
  return {
    keys: KNOWN_API_KEYS.filter(({ name }) => env[name]).map(({ name, provider }) => ({ name, provider })),
    servers: answered.filter((server) => server !== undefined),
  };
}

async function modelsAt(name: string, url: string): Promise<ModelSources["servers"][number] | undefined> {
  try {
    const response = await fetch(`${url}/models`, { signal: AbortSignal.timeout(PATIENCE_MS) });
    const body: unknown = await response.json();
    if (typeof body !== "object" || body === null || !("data" in body) || !Array.isArray(body.data)) return undefined;
    const models: unknown[] = body.data;
    return {
      name,
      url,
      models: models.flatMap((model) => (typeof model === "object" && model !== null && "id" in model ? [String(model.id)] : [])),
    };
  } catch {
    return undefined; // no model server there
  }
}
