import { requestTokenFromTabs } from "./tab-token-channel.ts";

const KEY = "baton.token";

/**
 * The token of this tab. A one-time code in the address is exchanged for a token and removed from the address. Otherwise
 * the tab uses its stored token, or asks another tab. Undefined if there is none.
 */
export async function readToken(location: Location, history: History, store: Storage): Promise<string | undefined> {
  const token = (await tokenFor(location, history)) ?? store.getItem(KEY) ?? (await requestTokenFromTabs());
  if (token !== undefined) store.setItem(KEY, token);
  return token;
}

async function tokenFor(location: Location, history: History): Promise<string | undefined> {
  const { code, route = "" } = parseLoginHash(location.hash) ?? {};
  if (code === undefined) return undefined;
  history.replaceState(undefined, "", `${location.pathname}${route}`);
  const response = await fetch("/login", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ code }),
  }).catch(() => undefined);
  const body: unknown = response?.ok ? await response.json() : undefined;
  return typeof body === "object" && body !== null && "token" in body && typeof body.token === "string" ? body.token : undefined;
}

/** The one-time code of an address, and the route behind it. Routes begin with a slash; a code never does. */
export function parseLoginHash(hash: string): { code: string; route?: string } | undefined {
  const [, code, route] = /^#([A-Za-z0-9_-]{10,})(\/.*)?$/.exec(hash) ?? [];
  if (code === undefined) return undefined;
  return { code, ...(route === undefined ? {} : { route: `#${route}` }) };
}
