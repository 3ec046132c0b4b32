import { judge } from "@baton/core/permission/judge";
import type { Foundation } from "../foundation/open-foundation.ts";
import type { LoadedConfig } from "../../config/load-config.ts";
import { openProjectServers, type ProjectServers } from "../../config/project/project-servers.ts";
import { networkRules } from "../../config/resolve-settings.ts";
import { openCredentials } from "../../mcp/connection/oauth-credentials.ts";
import { openPendingLogins, type PendingLogins } from "../../mcp/connection/pending-logins.ts";
import { storedLogin, oauthProvider } from "../../mcp/connection/oauth-provider.ts";
import { mcpServerDefinitions, type PluginServers, type McpServerDefinition } from "../../mcp/server-definition.ts";
import { ServerManager } from "../../mcp/server-manager.ts";
import { openClientServers, type ClientServers } from "../../mcp/endpoint/client-mcp-servers.ts";
import type { ServerSandboxes } from "../../mcp/connection/sandboxed-server.ts";
import type { Clock } from "../../system/clock.ts";
import type { StdioProcesses } from "../../system/commands/stdio-process.ts";
import { runInBackground } from "../../session/run-in-background.ts";
import { ALL_WORKSPACES, type WorkspaceDecisions } from "../../session/workspace/workspace-decisions.ts";

type ServersOptions = {
  config: () => LoadedConfig;
  workspaces: WorkspaceDecisions;
  /** The folder whose servers a folder shares. */
  identity: (folder: string) => string;
  /** The servers of the plugins that are active in a workspace. */
  plugins: (workspace: string) => readonly PluginServers[];
  processes: StdioProcesses;
  sandboxes: ServerSandboxes;
  clock: Clock;
  env: Readonly<Record<string, string | undefined>>;
  instance: string;
  /** The file for OAuth tokens, and the address to which a browser returns after a login. */
  credentials: string;
  redirectUrl: () => string;
  changed: (workspace: string) => void;
  othersChanged: (workspace: string, what: "resources" | "prompts") => void;
  report: (problem: string, error: unknown) => void;
};

/** Opens the MCP servers of the user's config, of trusted projects, and of connected clients. */
export function openServers({
  config,
  workspaces,
  identity,
  plugins,
  processes,
  sandboxes,
  clock,
  env,
  instance,
  credentials: file,
  redirectUrl,
  changed,
  othersChanged,
  report,
}: ServersOptions): { servers: ServerManager; logins: PendingLogins; clientServers: ClientServers; projectServers: ProjectServers } {
  const projectServers = openProjectServers();
  const credentials = openCredentials(file);
  const clientServers = openClientServers((workspace) => {
    servers.refresh(workspace);
    changed(workspace);
  });
  const servers: ServerManager = new ServerManager({
    talks: processes,
    sandboxes,
    instance,
    identity,
    now: () => clock.now(),
    authOf: (workspace, definition) => {
      const login = storedLogin(workspace, definition);
      if (login === undefined || credentials.read(login).tokens === undefined) return undefined;
      return oauthProvider(login, { credentials, redirectUrl: redirectUrl() });
    },
    mayReach: (url) => mayReach(url, config()),
    definitions: (workspace) => {
      const user = { servers: config().config.mcpServers ?? {}, source: config().file };
      const project = workspaces.trust(workspace) === "trusted" ? projectServers.of(identity(workspace)) : NONE;
      const brought = clientServers
        .of(workspace)
        .map(({ client, servers: definitions }) => ({ servers: definitions, source: `The client ${client}` }));
      return mcpServerDefinitions(user, project, plugins(workspace), brought, workspace, env);
    },
    approval: (workspace, definition) => workspaces.approval(approvalScope(workspace, definition), definition.name),
    remember: (workspace, definition, tools) => {
      const event = { type: "server.approved", server: definition.name, tools, by: { daemon: true } } as const;
      const remembered = workspaces.judgeServer(approvalScope(workspace, definition), event);
      runInBackground(
        remembered.then(() => servers.refresh(workspace)),
        report,
      );
    },
    changed,
    othersChanged,
  });
  const logins = openPendingLogins({
    credentials,
    redirectUrl,
    mayReach: (url) => mayReach(url, config()),
    loggedIn: (server) => servers.again(server),
  });
  return { servers, logins, clientServers, projectServers };
}

/** The sandbox for the servers whose settings ask for it. */
export const serverSandboxes = ({ sandbox, networks, home }: Pick<Foundation, "sandbox" | "networks" | "home">): ServerSandboxes => ({
  sandbox: async () => (sandbox.setting() === "off" ? "the sandbox is off in your settings" : sandbox.forContained()),
  network: networks.ofServer,
  home,
});

const NONE = { servers: {}, source: "" };

/** Approvals of servers in the user's config apply everywhere, others in their workspace. */
export const approvalScope = (workspace: string, { scope }: McpServerDefinition): string => (scope === "user" ? ALL_WORKSPACES : workspace);

/** The user's servers may be reached unless a rule denies it or the network is off. Returns the reason if not. */
function mayReach(url: URL, loaded: LoadedConfig): string | undefined {
  const resource = `${url.protocol}//${url.host}${url.pathname}`;
  const { rules } = loaded;
  const { effect, rule } = judge({ rules, ceilings: [networkRules(loaded)] }, "fetch", [{ action: "fetch", resource }]);
  return effect === "deny" ? `${url.host} may not be reached: ${rule?.source ?? "a rule denies it"}.` : undefined;
}
