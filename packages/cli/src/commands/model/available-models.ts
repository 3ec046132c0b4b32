import type { Api } from "../../connection/daemon-connection.ts";
import { detectModelSources } from "../daemon/detect-model-sources.ts";

/** A model that can be used now. `local`: it runs on this machine. `price` is in US dollars per million tokens. */
export type AvailableModel = { id: string; local?: true; contextWindow?: number; price?: { input: number; output: number } };

/** The models of providers with a key, of the config, and of local servers. */
export async function availableModels(api: Api): Promise<AvailableModel[]> {
  const [known, around] = await Promise.all([api.daemon.models.query(), detectModelSources({})]);
  const named = new Set(known.map(({ id }) => id));
  const local = around.servers.flatMap(({ name, models }) => models.map((id) => ({ id: `${name}/${id}`, local: true as const })));
  return [...known, ...local.filter(({ id }) => !named.has(id))];
}
