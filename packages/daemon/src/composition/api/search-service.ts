import type { Config } from "../../config/config-schema.ts";
import { expandKey, unsetVariable } from "../../config/provider-settings.ts";
import type { ApiKeys } from "../../model/api-keys.ts";
import { searchServices } from "../../system/web/search-services.ts";
import type { SearchService } from "../../system/web/web-search.ts";

/** The service for web searches, or why there is none, as the end of a sentence. */
type FoundSearchService = { service: SearchService; problem?: undefined } | { service?: undefined; problem: string };

/** The names of services with a key in the environment, and those variables. */
export const searchKeysInEnv = (env: Env): { provider: string; place: "environment"; name: string }[] =>
  Object.entries(searchServices).flatMap(([provider, { keyNames = [] }]) => {
    const name = keyNames.find((each) => env[each]);
    return name === undefined ? [] : [{ provider, place: "environment" as const, name }];
  });

/** The services that need a key. */
export const servicesWithKeys: readonly string[] = Object.entries(searchServices).flatMap(([name, { keyNames }]) =>
  keyNames ? [name] : [],
);

type Env = Readonly<Record<string, string | undefined>>;

/** Finds the configured service for web searches. */
export function searchService({ webSearch }: Pick<Config, "webSearch">, env: Env, stored: ApiKeys["get"]): FoundSearchService {
  if (!webSearch) return { problem: "the setting webSearch names no service" };
  const { service: name, key, url } = webSearch;
  const { origin, path, keyNames } = searchServices[name];
  const base = url ?? origin;
  if (base === undefined) return { problem: `webSearch.url is missing, which ${name} needs` };
  const own = key === undefined ? keyNames?.map((variable) => env[variable]).find((value) => value) : expandKey(key, env);
  const unset = keyNames && unsetVariable(key, env);
  if (unset !== undefined) return { problem: `${name} has no key: the variable ${unset}, which webSearch.key names, is not set` };
  const kept = stored(name);
  if (keyNames && own === undefined && !kept)
    return { problem: `${name} has no key: \`baton auth login ${name}\` stores one, or set ${keyNames.join(" or ")}` };
  const address = new URL(base.replace(/\/+$/, "") + path);
  return { service: { name, address, own: url !== undefined, key: async () => own ?? kept?.read() } };
}
