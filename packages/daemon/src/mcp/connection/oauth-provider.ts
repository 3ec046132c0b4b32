import { omitUndefined } from "@baton/core/text/omit-undefined";
import type {
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from "@modelcontextprotocol/client";
import type { OAuthCredentials } from "./oauth-credentials.ts";
import { hashJson, type McpServerDefinition } from "../server-definition.ts";

type OAuthLogin = {
  credentials: OAuthCredentials;
  /** The redirect address, which belongs to this daemon. */
  redirectUrl: string;
  /** The state that the browser must return. It keeps logins apart. */
  state?: string;
  /** Called with the address that the user has to open. */
  open?: (url: URL) => void;
  /** The client id of a manual registration, for servers that do not register clients. */
  client?: StoredOAuthClientInformation;
  /** The address of a metadata document about this client, which makes registration unnecessary. */
  metadataUrl?: string;
};

/**
 * The key of a login: the server's scope, the workspace unless it is the user's own server, and the address. A server of the same name
 * elsewhere, or at another address, never gets the login.
 */
export function storedLogin(workspace: string, { name, scope, launch }: McpServerDefinition): string | undefined {
  if (launch.kind !== "http") return undefined;
  const of = { scope, workspace: scope === "user" ? undefined : workspace, url: URL.parse(launch.url)?.href ?? launch.url };
  return `${name} ${hashJson(of)}`;
}

/** The name of the server whose login has this key. */
export const serverOfLogin = (key: string): string => key.split(" ", 1)[0] ?? "";

/** The key of a login with one issuer. Data from one issuer never goes to another. */
const keyOf = (login: string, issuer: string | undefined): string => (issuer === undefined ? login : `${login} ${issuer}`);

/** The OAuth provider of one login. Its data is stored per issuer, and the browser returns to the daemon. */
export function oauthProvider(
  login: string,
  { credentials, redirectUrl, state, open, client, metadataUrl }: OAuthLogin,
): OAuthClientProvider {
  // Fixed from the redirect to the return, because a server may name another issuer the next time.
  let discovery: OAuthDiscoveryState | undefined;
  return {
    redirectUrl,
    clientMetadata: {
      client_name: "Baton",
      redirect_uris: [redirectUrl],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
      application_type: "native",
    },
    ...omitUndefined({ clientMetadataUrl: metadataUrl }),
    ...(state === undefined ? {} : { state: () => state }),
    clientInformation: (context) =>
      client ?? (credentials.read(keyOf(login, context?.issuer)).client as StoredOAuthClientInformation | undefined),
    saveClientInformation: (made, context) => credentials.write(keyOf(login, context?.issuer), { client: made }),
    tokens: (context) => credentials.read(keyOf(login, context?.issuer)).tokens as StoredOAuthTokens | undefined,
    saveTokens: async (tokens, context) => {
      discovery = undefined;
      await credentials.write(login, { tokens }); // requested without an issuer before each request
      if (context) await credentials.write(keyOf(login, context.issuer), { tokens });
    },
    redirectToAuthorization: (url) => open?.(url),
    saveCodeVerifier: (verifier) => credentials.write(login, { verifier }),
    saveDiscoveryState: (found) => void (discovery = found),
    discoveryState: () => discovery,
    codeVerifier: () => credentials.read(login).verifier ?? "",
  };
}
