import { ENDPOINT_MODE } from "@baton/core/mode/mcp-endpoint-mode";
import type { ModeServers } from "../agent/mode-mcp-servers.ts";
import { buildCatalog } from "../../mcp/tools/tool-catalog.ts";
import { openEndpoint, type Endpoint } from "../../mcp/endpoint/endpoint.ts";
import type { EndpointOptions } from "../../mcp/endpoint/endpoint-options.ts";
import type { ServerManager } from "../../mcp/server-manager.ts";
import { startExternalCall, checkExternalCall } from "../../session/calls/run/external-call.ts";
import type { Sessions } from "../../session/sessions.ts";

/** How long another agent waits for servers that have not answered yet. */
const WARM_MS = 5_000;

type McpEndpointOptions = Pick<EndpointOptions, "profiles" | "identity" | "report"> & {
  servers: ServerManager;
  modeServers: ModeServers;
  sessions: Sessions;
  load: (workspace: string) => Promise<void>;
};

/** Opens the endpoint for other agents. Their calls go through the session of their profile. */
export function openMcpEndpoint({ servers, modeServers, sessions, load, ...options }: McpEndpointOptions): Endpoint {
  let count = 0;
  const offering = (workspace: string) => modeServers.offering(workspace, ENDPOINT_MODE);
  const lent: Pick<ServerManager, "catalog" | "rows"> = {
    catalog: (workspace) => offering(workspace).tools,
    rows: (workspace) =>
      servers.rows(workspace).filter(({ name }) => modeServers.isUsed(servers.definition(workspace, name) ?? {}, workspace, ENDPOINT_MODE)),
  };
  return openEndpoint({
    ...options,
    catalog: (workspace) => buildCatalog(lent, workspace),
    known: lent.catalog,
    servers: (workspace) => offering(workspace).servers,
    warm: async (workspace) => {
      await load(workspace);
      await modeServers.warm(workspace, ENDPOINT_MODE, AbortSignal.timeout(WARM_MS));
    },
    may: async (profile, workspace, { tool, input }) => checkExternalCall(await sessions.ofEndpoint(profile, workspace), tool, input),
    call: async (profile, workspace, call) => startExternalCall(await sessions.ofEndpoint(profile, workspace), ++count, call),
  });
}
