const KEY = "baton.token";

/**
 * The token of this tab. A one-time code in the address is changed into one and leaves the address at once; after a
 * reload the token that the tab has is used again. Undefined when there is neither.
 */
export async function tokenOf(location: Location, history: History, store: Storage): Promise<string | undefined> {
  const code = codeIn(location.hash);
  if (code === undefined) return store.getItem(KEY) ?? undefined;
  history.replaceState(undefined, "", location.pathname);
  const response = await fetch("/login", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ code }),
  }).catch(() => undefined);
  const said: unknown = response?.ok ? await response.json() : undefined;
  if (typeof said !== "object" || said === null || !("token" in said) || typeof said.token !== "string")
    return store.getItem(KEY) ?? undefined;
  store.setItem(KEY, said.token);
  return said.token;
}

/** Places inside the page begin with a slash; a code never does. */
export const codeIn = (hash: string): string | undefined => /^#([A-Za-z0-9_-]{10,})$/.exec(hash)?.[1];

export const forgetToken = (store: Storage): void => store.removeItem(KEY);
