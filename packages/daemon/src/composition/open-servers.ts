import { judge } from "@baton/core/permission/judge";
import type { Loaded } from "../config/load-config.ts";
import { openProjectServers, type ProjectServers } from "../config/project-servers.ts";
import { networkRules } from "../config/network-rules.ts";
import { openCredentials } from "../mcp/connection/oauth-credentials.ts";
import { openLogins, type Logins } from "../mcp/connection/pending-logins.ts";
import { loginOf, oauthOf } from "../mcp/connection/oauth-provider.ts";
import { definitionsOf, type Definition } from "../mcp/server-definition.ts";
import { Host } from "../mcp/server-manager.ts";
import { openLent, type Lent } from "../mcp/endpoint/client-servers.ts";
import type { Clock } from "../system/clock.ts";
import type { Talks } from "../system/commands/stdio-process.ts";
import { inBackground } from "../session/run-in-background.ts";
import { EVERYWHERE, type Workspaces } from "../session/workspaces.ts";

export type ServersOptions = {
  config: () => Loaded;
  workspaces: Workspaces;
  talks: Talks;
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
}: ServersOptions): { host: Host; logins: Logins; lent: Lent; projectServers: ProjectServers } {
  const projectServers = openProjectServers();
  const credentials = openCredentials(file);
  const lent = openLent((workspace) => {
    host.refresh(workspace);
    changed(workspace);
  });
  const host: Host = new Host({
    talks,
    instance,
    now: () => clock.now(),
    authOf: (workspace, definition) => {
      const login = loginOf(workspace, definition);
      if (login === undefined || credentials.read(login).tokens === undefined) return undefined;
      return oauthOf(login, { credentials, redirectUrl: redirectUrl() });
    },
    mayReach: (url) => mayReach(url, config()),
    definitions: (workspace) => {
      const user = { servers: config().config.mcpServers ?? {}, source: config().file };
      const project = workspaces.trust(workspace) === "trusted" ? projectServers.of(workspace) : NONE;
      const brought = lent.of(workspace).map(({ client, servers }) => ({ servers, source: `The client ${client}` }));
      return definitionsOf(user, project, brought, workspace, env);
    },
    approval: (workspace, definition) => workspaces.approval(approvalPlace(workspace, definition), definition.name),
    remember: (workspace, definition, tools) => {
      const said = { type: "server.approved", server: definition.name, tools, by: { daemon: true } } as const;
      const remembered = workspaces.judgeServer(approvalPlace(workspace, definition), said);
      inBackground(
        remembered.then(() => host.refresh(workspace)),
        report,
      );
    },
    changed,
    othersChanged,
  });
  const logins = openLogins({
    credentials,
    redirectUrl,
    mayReach: (url) => mayReach(url, config()),
    loggedIn: (server) => host.again(server),
  });
  return { host, logins, lent, projectServers };
}

const NONE = { servers: {}, source: "" };

/** Where approvals lie: everywhere for what a person has named, else with the workspace. */
export const approvalPlace = (workspace: string, { scope }: Definition): string => (scope === "user" ? EVERYWHERE : workspace);

/** A server that a person named may be reached unless a rule of theirs denies it, or the network is off. */
function mayReach(url: URL, loaded: Loaded): string | undefined {
  const resource = `${url.protocol}//${url.host}${url.pathname}`;
  const { rules } = loaded;
  const { effect, rule } = judge({ rules, ceilings: [networkRules(loaded)] }, "fetch", [{ action: "fetch", resource }]);
  return effect === "deny" ? `${url.host} may not be reached: ${rule?.source ?? "a rule denies it"}.` : undefined;
}
