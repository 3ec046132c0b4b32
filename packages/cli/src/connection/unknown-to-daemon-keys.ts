import { KEYS } from "../commands/daemon/detect-environment.ts";
import type { Api } from "./daemon-connection.ts";

/** A key in this environment that the daemon does not know of: it was set after the daemon started. */
export type UnknownKey = { name: string; provider: string };

export async function keysUnknownToDaemon(api: Api, env: Record<string, string | undefined>): Promise<UnknownKey[]> {
  const known = new Set((await api.auth.list.query()).map(({ provider }) => provider));
  return KEYS.filter(({ name, provider }) => env[name] && !known.has(provider));
}

/** What to do about one, for people. */
export const unknownKeyText = ({ name, provider }: UnknownKey): string =>
  `${name} is set here, but the daemon runs without it. \`baton daemon restart\` in this shell passes it on; \`baton auth login ${provider}\` keeps it for good.`;
