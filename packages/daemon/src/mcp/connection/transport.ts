import { omitUndefined } from "@baton/core/text/omit-undefined";
import type { OAuthClientProvider, Transport } from "@modelcontextprotocol/client";
import type { StdioProcesses } from "../../system/commands/stdio-process.ts";
import { sizeLimitedFetch, type UrlRefusal } from "./size-limited-fetch.ts";
import type { McpServerDefinition } from "../server-definition.ts";
import { sandboxedServer, type ServerSandboxes } from "./sandboxed-server.ts";
import { stdioTransport, type OnStderr } from "./stdio-transport.ts";

export type TransportOptions = {
  workspace: string;
  talks: StdioProcesses;
  sandboxes: ServerSandboxes;
  mayReach: UrlRefusal;
  /** Adds the user's login to requests. Undefined if the user has not logged in to this server. */
  authOf: (workspace: string, definition: McpServerDefinition) => OAuthClientProvider | undefined;
};

/** The transport of a server: a program's pipes, or an address. */
export async function createTransport(
  definition: McpServerDefinition,
  { workspace, talks, sandboxes, mayReach, authOf }: TransportOptions,
  aside: OnStderr,
): Promise<Transport> {
  const { name, launch } = definition;
  switch (launch.kind) {
    case "stdio":
      return stdioTransport(async (heard) => {
        if (!launch.sandbox) return talks.start(name, launch, heard);
        const inside = await sandboxedServer({ name, launch, access: launch.sandbox, workspace, notify: aside }, sandboxes);
        const onEnd: typeof heard.onEnd = (why, exitCode) => {
          inside.leave();
          heard.onEnd(why, exitCode);
        };
        const started = await talks.start(name, inside.program, { ...heard, onEnd });
        if ("fault" in started) inside.leave();
        return started;
      }, aside);
    case "http": {
      const url = parseServerUrl(launch.url);
      const sdk = await import("@modelcontextprotocol/client");
      const authProvider = authOf(workspace, definition);
      const options = {
        fetch: sizeLimitedFetch(mayReach),
        requestInit: { headers: launch.headers },
        ...omitUndefined({ authProvider }),
      };
      return launch.sse ? new sdk.SSEClientTransport(url, options) : new sdk.StreamableHTTPClientTransport(url, options);
    }
  }
}

/** Throws unless the text is an address of the web. */
export function parseServerUrl(text: string): URL {
  const url = URL.parse(text);
  if (url && /^https?:$/.test(url.protocol)) return url;
  throw new Error(`${text} is not a valid address. It must begin with https://.`);
}
