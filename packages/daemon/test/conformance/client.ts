import { randomUUID } from "node:crypto";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Client, ElicitResult, StreamableHTTPClientTransport, Tool } from "@modelcontextprotocol/client";
import { sizeLimitedFetch } from "../../src/mcp/connection/size-limited-fetch.ts";
import { connectClient } from "../../src/mcp/connection/connect-server.ts";
import { openCredentials } from "../../src/mcp/connection/oauth-credentials.ts";
import { oauthProvider } from "../../src/mcp/connection/oauth-provider.ts";

/**
 * The program that the conformance runner starts for each of its scenarios, with the address of its server as the last argument. It uses
 * Baton's own connection to a server, lists the tools and calls each of them.
 */
const url = process.argv.at(-1) ?? "";
const context = JSON.parse(process.env["MCP_CONFORMANCE_CONTEXT"] ?? "{}") as Record<string, unknown>;
const redirectUrl = "http://127.0.0.1:33418/oauth/callback";
const credentials = openCredentials(path.join(tmpdir(), `baton-conformance-${randomUUID()}`));
const MAX_LOGINS = 3;
let logins = 0;

let wanted: URL | undefined;
let transport: StreamableHTTPClientTransport | undefined;

const registered =
  typeof context["client_id"] === "string"
    ? {
        client: {
          client_id: context["client_id"],
          ...(typeof context["client_secret"] === "string" ? { client_secret: context["client_secret"] } : {}),
        },
      }
    : {};
const metadataUrl = "https://conformance-test.local/client-metadata.json";
const known = oauthProvider("conformance", {
  credentials,
  redirectUrl,
  state: randomUUID(),
  open: (address) => (wanted = address),
  ...registered,
  metadataUrl,
});

async function openTransport(): Promise<StreamableHTTPClientTransport> {
  const sdk = await import("@modelcontextprotocol/client");
  transport = new sdk.StreamableHTTPClientTransport(new URL(url), { fetch: sizeLimitedFetch(() => undefined), authProvider: known });
  return transport;
}

const accept = (): Promise<ElicitResult> => Promise.resolve({ action: "accept", content: {} });

function connect(tools: (list: readonly Tool[]) => void): Promise<Client> {
  return connectClient({
    workspace: process.cwd(),
    transport: openTransport,
    era: "auto",
    onTools: tools,
    onOthers: () => undefined,
    onUpdated: () => undefined,
    onLog: () => undefined,
    onElicit: accept,
    onClose: () => undefined,
    onProblem: (problem) => console.error(problem),
    signal: AbortSignal.timeout(20_000),
    probeMs: 5_000,
    timeoutMs: 15_000,
  });
}

/** Performs the login like a browser. The authorization server redirects it straight back. */
async function logIn(): Promise<void> {
  const asked = wanted;
  wanted = undefined;
  if (!asked || !transport) throw new Error("no login was wanted");
  const answer = await fetch(asked, { redirect: "manual" });
  await transport.finishAuth(new URL(answer.headers.get("location") ?? "", asked).searchParams);
}

/** Runs an action, and logs in as often as that needs. */
async function loggingIn<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!wanted || ++logins > MAX_LOGINS) throw error;
      await logIn();
    }
  }
}

let listed: readonly Tool[] = [];
const client = await loggingIn(() => connect((tools) => (listed = tools)));
const wantedCalls = context["toolCalls"] as { name: string; arguments: Record<string, unknown> }[] | undefined;
const calls =
  wantedCalls ??
  listed.map(({ name, inputSchema }) => ({
    name,
    arguments: Object.fromEntries(Object.entries(inputSchema.properties ?? {}).map(([key, of]) => [key, sample(of)])),
  }));
for (const { name, arguments: input } of calls) {
  const result = await loggingIn(() => client.callTool({ name, arguments: input })).catch((error: unknown) => String(error));
  console.error(name, JSON.stringify(result));
}
await client.close();
process.exit(0);

function sample(of: unknown): unknown {
  const type = typeof of === "object" && of !== null && "type" in of ? of.type : undefined;
  return type === "number" || type === "integer" ? 1 : type === "boolean" ? true : "text";
}
