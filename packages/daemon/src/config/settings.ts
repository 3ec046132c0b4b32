import type { Config } from "./schema.ts";

/** `{env:NAME}` in a key stands for that variable of the daemon's own environment; undefined when it is not set. */
export function expandKey(value: string | undefined, env: Record<string, string | undefined>): string | undefined {
  const name = /^\{env:([A-Za-z_][A-Za-z0-9_]*)\}$/.exec(value ?? "")?.[1];
  return name === undefined ? value : env[name];
}

/** Providers of the config with their keys looked up. */
export const providersOf = (config: Config, env: Record<string, string | undefined>) =>
  Object.entries(config.providers ?? {}).map(([name, { baseUrl, apiKey, timeoutMs, models }]) => ({
    name,
    baseUrl,
    apiKey: expandKey(apiKey, env),
    timeoutMs,
    models: Object.keys(models),
  }));
