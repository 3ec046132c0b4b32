import { judge } from "@baton/core/permission/judge";
import type { LoadedConfig } from "../config/load-config.ts";
import { openProjectServers, type ProjectServers } from "../config/project-servers.ts";
import { networkRules } from "../config/derived-settings.ts";
import { openCredentials } from "../mcp/connection/oauth-credentials.ts";
import { openPendingLogins, type PendingLogins } from "../mcp/connection/pending-logins.ts";
import { storedLogin, oauthProvider } from "../mcp/connection/oauth-provider.ts";
import { serverDefinitions, type ServerDefinition } from "../mcp/server-definition.ts";
import { ServerManager } from "../mcp/server-manager.ts";
import { openClientServers, type ClientServers } from "../mcp/endpoint/client-servers.ts";
import type { Clock } from "../system/clock.ts";
import type { StdioProcesses } from "../system/commands/stdio-process.ts";
import { runInBackground } from "../session/run-in-background.ts";
import { ALL_WORKSPACES, type Workspaces } from "../session/workspaces.ts";

export type ServersOptions = {
  config: () => LoadedConfig;
  workspaces: Workspaces;
  talks: StdioProcesses;
  clock: Clock;
  env: Readonly<Record<string, string | undefined>>;
  instance: string;
  /** Where secrets of servers lie, and where a browser comes back to after a login. */
  credentials: string;
  redirectUrl: () => string;
  changed: (workspace: string) => void;
  othersChanged: (workspace: string, what: "resources" | "prompts") => void;
  report: (problem: string, error: unknown) => void;
};

/** MCP servers of the person's config, of projects that are trusted, and of clients that are there. */
export function openServers({
  config,
  workspaces,
  talks,
  clock,
  env,
  instance,
  credentials: file,
  redirectUrl,
  changed,
  othersChanged,
  report,
}: ServersOptions): { host: ServerManager; logins: PendingLogins; lent: ClientServers; projectServers: ProjectServers } {
  const projectServers = openProjectServers();
  const credentials = openCredentials(file);
  const lent = openClientServers((workspace) => {
    host.refresh(workspace);
    changed(workspace);
  });
  const host: ServerManager = new ServerManager({
    talks,
    instance,
    now: () => clock.now(),
    authOf: (workspace, definition) => {
      const login = storedLogin(workspace, definition);
      if (login === undefined || credentials.read(login).tokens === undefined) return undefined;
      return oauthProvider(login, { credentials, redirectUrl: redirectUrl() });
    },
    mayReach: (url) => mayReach(url, config()),
    definitions: (workspace) => {
      const user = { servers: config().config.mcpServers ?? {}, source: config().file };
      const project = workspaces.trust(workspace) === "trusted" ? projectServers.of(workspace) : NONE;
      const brought = lent.of(workspace).map(({ client, servers }) => ({ servers, source: `The client ${client}` }));
      return serverDefinitions(user, project, brought, workspace, env);
    },
    approval: (workspace, definition) => workspaces.approval(approvalScope(workspace, definition), definition.name),
    remember: (workspace, definition, tools) => {
      const said = { type: "server.approved", server: definition.name, tools, by: { daemon: true } } as const;
      const remembered = workspaces.judgeServer(approvalScope(workspace, definition), said);
      runInBackground(
        remembered.then(() => host.refresh(workspace)),
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
    loggedIn: (server) => host.again(server),
  });
  return { host, logins, lent, projectServers };
}

const NONE = { servers: {}, source: "" };

/** Where approvals lie: everywhere for what a person has named, else with the workspace. */
export const approvalScope = (workspace: string, { scope }: ServerDefinition): string => (scope === "user" ? ALL_WORKSPACES : workspace);

/** A server that a person named may be reached unless a rule of theirs denies it, or the network is off. */
function mayReach(url: URL, loaded: LoadedConfig): string | undefined {
  const resource = `${url.protocol}//${url.host}${url.pathname}`;
  const { rules } = loaded;
  const { effect, rule } = judge({ rules, ceilings: [networkRules(loaded)] }, "fetch", [{ action: "fetch", resource }]);
  return effect === "deny" ? `${url.host} may not be reached: ${rule?.source ?? "a rule denies it"}.` : undefined;
}
