import { KEYS } from "../commands/detect-environment.ts";
import type { Api } from "./daemon-connection.ts";

/** A key in this environment that the daemon does not know of: it was set after the daemon started. */
export type Stranded = { name: string; provider: string };

export async function strandedKeys(api: Api, env: Record<string, string | undefined>): Promise<Stranded[]> {
  const known = new Set((await api.auth.list.query()).map(({ provider }) => provider));
  return KEYS.filter(({ name, provider }) => env[name] && !known.has(provider));
}

/** What to do about one, for people. */
export const strandedText = ({ name, provider }: Stranded): string =>
  `${name} is set here, but the daemon runs without it. \`baton daemon restart\` in this shell passes it on; \`baton auth login ${provider}\` keeps it for good.`;
