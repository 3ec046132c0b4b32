import { randomBytes } from "node:crypto";
import type { StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { sizeLimitedFetch, type UrlRefusal } from "./size-limited-fetch.ts";
import type { OAuthCredentials } from "./oauth-credentials.ts";
import type { McpServerDefinition } from "../server-definition.ts";
import { oauthProvider, serverOfLogin, storedLogin } from "./oauth-provider.ts";
import { parseServerUrl } from "./transport.ts";

type LoginOptions = { credentials: OAuthCredentials; redirectUrl: () => string; mayReach: UrlRefusal; loggedIn: (server: string) => void };

/** Logins that the user started and that a browser must complete. */
export type PendingLogins = {
  /** The address that the user has to open. Undefined if no login is needed. */
  begin: (workspace: string, definition: McpServerDefinition) => Promise<URL | undefined>;
  /** Completes a login with the browser's data. Returns the name of the server or a problem. */
  end: (query: URLSearchParams) => Promise<{ server: string } | { problem: string }>;
  /** Removes the logins of all servers for whose names `isOf` is true, including those that have only begun. */
  forget: (isOf: (server: string) => boolean) => Promise<void>;
};

type PendingLogin = { server: string; transport: StreamableHTTPClientTransport; until: number };

const EXPIRES_MS = 10 * 60_000;

export function openPendingLogins({ credentials, redirectUrl, mayReach, loggedIn }: LoginOptions): PendingLogins {
  const begun = new Map<string, PendingLogin>();
  return {
    async begin(workspace, definition) {
      const { name, launch } = definition;
      const login = storedLogin(workspace, definition);
      if (launch.kind !== "http" || login === undefined) throw new Error(`${name} is a program, so it needs no login.`);
      const sdk = await import("@modelcontextprotocol/client");
      const state = randomBytes(24).toString("base64url");
      let wanted: URL | undefined;
      const authProvider = oauthProvider(login, { credentials, redirectUrl: redirectUrl(), state, open: (url) => (wanted = url) });
      const options = { fetch: sizeLimitedFetch(mayReach), requestInit: { headers: launch.headers }, authProvider };
      const transport = new sdk.StreamableHTTPClientTransport(parseServerUrl(launch.url), options);
      const client = new sdk.Client({ name: "baton", version: "0.1.0" }, { versionNegotiation: { mode: "auto" } });
      try {
        await client.connect(transport);
        await client.close();
        return undefined;
      } catch (error) {
        if (!wanted) throw error;
      }
      begun.set(state, { server: name, transport, until: Date.now() + EXPIRES_MS });
      return wanted;
    },
    async end(query) {
      const state = query.get("state") ?? "";
      const login = begun.get(state);
      begun.delete(state);
      if (!login || login.until < Date.now()) return { problem: "This login has expired. Start it again with `baton mcp login`." };
      const refused = query.get("error");
      if (refused !== null) return { problem: `The login was refused: ${refused}.` };
      try {
        await login.transport.finishAuth(query);
      } catch (error) {
        return { problem: error instanceof Error ? error.message : String(error) };
      }
      loggedIn(login.server);
      return { server: login.server };
    },
    async forget(isOf) {
      for (const [state, { server }] of begun) if (isOf(server)) begun.delete(state);
      await credentials.remove((key) => isOf(serverOfLogin(key)));
    },
  };
}
