import { omitUndefined } from "@baton/core/text/omit-undefined";
import type { Config } from "./config-schema.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** Replaces `{env:NAME}` in a key by that variable of the daemon's environment. Undefined if the variable is not set. */
export function expandKey(value: string | undefined, env: Env): string | undefined {
  const name = variableIn(value);
  return name === undefined ? value : env[name];
}

/** The variable that `{env:NAME}` names, if it is not set. */
export function unsetVariable(value: string | undefined, env: Env): string | undefined {
  const name = variableIn(value);
  return name !== undefined && !env[name] ? name : undefined;
}

const variableIn = (value: string | undefined): string | undefined => /^\{env:([A-Za-z_][A-Za-z0-9_]*)\}$/.exec(value ?? "")?.[1];

/** The configured providers with their keys. */
export const providerSettings = (config: Config, env: Record<string, string | undefined>) =>
  Object.entries(config.providers ?? {}).map(([name, { apiKey, headers = {}, models, ...rest }]) => {
    const key = expandKey(apiKey, env);
    const unset = unsetVariable(apiKey, env);
    return {
      ...rest,
      name,
      ...omitUndefined({ unsetVariable: unset }),
      ...(key === undefined ? {} : { key: { stamp: key, read: () => Promise.resolve(key) } }),
      headers: Object.fromEntries(Object.entries(headers).map(([header, value]) => [header, expandKey(value, env) ?? ""])),
      models: Object.fromEntries(Object.entries(models).map(([id, model]) => [id, longForm(model)])),
    };
  });

type OwnModel = NonNullable<Config["providers"]>[string]["models"][string];

/** Expands `contextWindow` and `maxOutput` to the limits of models.dev. */
function longForm({ contextWindow, maxOutput, limit, ...model }: OwnModel) {
  const short = {
    ...omitUndefined({ context: contextWindow, output: maxOutput }),
  };
  return { ...model, limit: { ...limit, ...short } };
}
