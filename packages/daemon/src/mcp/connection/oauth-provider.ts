import type {
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from "@modelcontextprotocol/client";
import type { Credentials } from "./oauth-credentials.ts";
import { hashJson, type ServerDefinition } from "../server-definition.ts";

export type OAuthLogin = {
  credentials: Credentials;
  /** Where a browser is sent back to: an address of this daemon. */
  redirectUrl: string;
  /** What the browser has to bring back, so that nobody else's login is taken for this one. */
  state?: string;
  /** Called with the address that a person has to open. */
  open?: (url: URL) => void;
  /** What was registered by hand, where a server takes nobody it does not know. */
  client?: StoredOAuthClientInformation;
  /** Where a server can read who we are, so that nothing has to be registered. */
  metadataUrl?: string;
};

/**
 * What a login belongs to: a server of the person's, or of one workspace, at one address. Another of the same name, or the same at
 * another address, is never shown it.
 */
export function storedLogin(workspace: string, { name, scope, launch }: ServerDefinition): string | undefined {
  if (launch.kind !== "http") return undefined;
  const of = { scope, workspace: scope === "user" ? undefined : workspace, url: URL.parse(launch.url)?.href ?? launch.url };
  return `${name} ${hashJson(of)}`;
}

/** A login and the issuer that its server trusts are one key: what one issuer gave never goes to another. */
const keyOf = (login: string, issuer: string | undefined): string => (issuer === undefined ? login : `${login} ${issuer}`);

/** OAuth for one login: what is agreed is kept by issuer, and a browser comes back to the daemon. */
export function oauthProvider(
  login: string,
  { credentials, redirectUrl, state, open, client, metadataUrl }: OAuthLogin,
): OAuthClientProvider {
  // Holds from the way out to the way back: a server may name another issuer the next time.
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
    ...(metadataUrl === undefined ? {} : { clientMetadataUrl: metadataUrl }),
    ...(state === undefined ? {} : { state: () => state }),
    clientInformation: (context) =>
      client ?? (credentials.read(keyOf(login, context?.issuer)).client as StoredOAuthClientInformation | undefined),
    saveClientInformation: (made, context) => credentials.write(keyOf(login, context?.issuer), { client: made }),
    tokens: (context) => credentials.read(keyOf(login, context?.issuer)).tokens as StoredOAuthTokens | undefined,
    saveTokens: async (tokens, context) => {
      discovery = undefined;
      await credentials.write(login, { tokens }); // asked for without an issuer before each request
      if (context) await credentials.write(keyOf(login, context.issuer), { tokens });
    },
    redirectToAuthorization: (url) => open?.(url),
    saveCodeVerifier: (verifier) => credentials.write(login, { verifier }),
    saveDiscoveryState: (found) => void (discovery = found),
    discoveryState: () => discovery,
    codeVerifier: () => credentials.read(login).verifier ?? "",
  };
}
