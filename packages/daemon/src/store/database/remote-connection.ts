import type { Client } from "@libsql/client/sqlite3";

/** A store on a libSQL server: where it is, and the token that it wants, if any. */
export type Remote = { url: string; authToken?: string | undefined };

/** Connects by the way that the address names: `http(s):` asks anew each time, `ws(s):` and `libsql:` keep a socket. Loaded only when there is one. */
export async function connectRemote({ url, authToken }: Remote): Promise<() => Client> {
  const { createClient } = /^https?:/.test(url) ? await import("@libsql/client/http") : await import("@libsql/client/ws");
  return () => createClient({ url, concurrency: 1, ...(authToken === undefined ? {} : { authToken }) });
}
