import { omitUndefined } from "@baton/core/text/omit-undefined";
import type { KindName } from "./provider/provider-kinds.ts";

/** A provider under its usual name: its address, and the variables that may hold its key. */
type KnownProvider = { name: string; kind: KindName; baseUrl?: string; keyNames?: readonly string[] };

const remote = (name: string, kind: KindName, keyNames: string[], baseUrl?: string): KnownProvider => ({
  name,
  kind,
  keyNames,
  ...omitUndefined({ baseUrl }),
});
const local = (name: string, port: number): KnownProvider => ({
  name,
  kind: "openai-compatible",
  baseUrl: `http://127.0.0.1:${port}/v1`,
});

/** Services that only need a key, and local servers on their default ports. */
export const knownProviders: readonly KnownProvider[] = [
  remote("anthropic", "anthropic", ["ANTHROPIC_API_KEY"]),
  remote("openai", "openai", ["OPENAI_API_KEY"]),
  remote("google", "google", ["GOOGLE_GENERATIVE_AI_API_KEY", "GEMINI_API_KEY"]),
  remote("mistral", "mistral", ["MISTRAL_API_KEY"]),
  remote("xai", "xai", ["XAI_API_KEY"]),
  remote("openrouter", "openai-compatible", ["OPENROUTER_API_KEY"], "https://openrouter.ai/api/v1"),
  remote("groq", "openai-compatible", ["GROQ_API_KEY"], "https://api.groq.com/openai/v1"),
  remote("deepseek", "openai-compatible", ["DEEPSEEK_API_KEY"], "https://api.deepseek.com/v1"),
  local("ollama", 11434),
  local("lmstudio", 1234),
  local("llamacpp", 8080),
  local("vllm", 8000),
];

/** The known providers with a key in the environment, and the name of that variable. */
export const keysInEnv = (env: Record<string, string | undefined>): { provider: string; place: "environment"; name: string }[] =>
  knownProviders.flatMap(({ name: provider, keyNames = [] }) => {
    const name = keyNames.find((each) => env[each]);
    return name === undefined ? [] : [{ provider, place: "environment" as const, name }];
  });
