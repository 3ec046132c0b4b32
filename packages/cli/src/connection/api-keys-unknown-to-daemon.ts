import { KNOWN_API_KEYS } from "../commands/daemon/detect-model-sources.ts";
import type { Api } from "./daemon-connection.ts";

/** A key in this environment that the daemon does not have, because it was set after the daemon started. */
export type UnknownKey = { name: string; provider: string };

export async function apiKeysUnknownToDaemon(api: Api, env: Record<string, string | undefined>): Promise<UnknownKey[]> {
  const known = new Set((await api.auth.list.query()).map(({ provider }) => provider));
  return KNOWN_API_KEYS.filter(({ name, provider }) => env[name] && !known.has(provider));
}

/** How to pass the key to the daemon. */
export const unknownKeyText = ({ name, provider }: UnknownKey): string =>
  `${name} is set here, but the daemon does not have it. \`baton daemon restart\` in this shell passes it on; \`baton auth login ${provider}\` stores it.`;
