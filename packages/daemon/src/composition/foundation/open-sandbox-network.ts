import { hash } from "node:crypto";
import { networkInterfaces } from "node:os";
import path from "node:path";
import { judge, type RuleSet } from "@baton/core/permission/judge";
import { matchesWildcard } from "@baton/core/permission/wildcard";
import type { LazyGates } from "./lazy-gates.ts";
import type { ServerOfNetwork } from "../../mcp/connection/sandboxed-server.ts";
import { mayReachHost, mayToolReach, type HostAnswer } from "../../session/network/host-requests.ts";
import { SessionId } from "@baton/core/protocol/ids";
import { openSandboxNetwork } from "../../system/sandbox-network/sandbox-network.ts";
import type { SandboxNetwork } from "../../system/sandbox-network/sandbox-network.ts";
import { openSecrets } from "../../system/sandbox-network/secrets/open-secrets.ts";
import { MIN_SECRET, type Secret } from "../../system/sandbox-network/secrets/placeholders.ts";
import { resourceOfTarget } from "../../system/sandbox-network/network-target.ts";
import { upstreamOf } from "../../system/sandbox-network/upstream-proxy.ts";
import type { Config } from "../../config/config-schema.ts";
import type { LateServices } from "./late-services.ts";

type SandboxNetworkSources = {
  bootId: string;
  /** The folder of the daemon's state. */
  folder: string;
  env: Readonly<Record<string, string | undefined>>;
  /** The user's config. */
  config: () => Config;
  /** The user's rules and limits. */
  rules: () => RuleSet;
  gates: LazyGates;
  late: LateServices;
};

export type SessionNetworks = SandboxNetwork & {
  /** Whether commands in a folder enter the network of their session. */
  isUsed: (workspace: string, isContained: boolean) => boolean;
  /** Enters a network that leads only to these hosts, which a tool of the session declares. */
  ofTool: (sessionId: string, hosts: readonly string[]) => ReturnType<SandboxNetwork["enter"]>;
  /** Enters a network that leads only to the hosts of an MCP server. Nobody is asked about others, and `notify` receives their names. */
  ofServer: (server: ServerOfNetwork) => ReturnType<SandboxNetwork["enter"]>;
};

/** The networks of sandboxed commands, whose hosts the session of the command judges, and of tools, which declare their hosts. */
export function openSessionNetworks({ bootId, folder, env, config, rules, gates, late }: SandboxNetworkSources): SessionNetworks {
  /** The networks of tools by their keys. */
  const ofTools = new Map<string, { sessionId: string; hosts: readonly string[] }>();
  /** The servers with a network by the keys of their networks. */
  const ofServers = new Map<string, ServerOfNetwork>();
  const network = openSandboxNetwork({
    bootId,
    mayReach: (address) => gates.now().isPublicAddress(address) && !isOwnAddress(address),
    upstreamFor: upstreamOf(env),
    secrets: openSecrets({ secrets: () => secretsIn(config(), env), file: path.join(folder, "sandbox-certificates.pem") }),
    async gate(key, target, signal) {
      const server = ofServers.get(key);
      if (server) return mayServerReach(resourceOfTarget(target), server, rules());
      const { sessionId, hosts } = ofTools.get(key) ?? { sessionId: key, hosts: undefined };
      const session = await late.sessions?.find(SessionId.parse(sessionId));
      if (!session || "refused" in session) return { allowed: false, why: "Its session does not exist anymore." };
      const host = resourceOfTarget(target);
      return hosts ? mayToolReach(host, hosts, session) : mayReachHost(host, session, signal);
    },
  });
  return {
    ...network,
    ofTool(sessionId, hosts) {
      const key = `${sessionId}.${hash("sha256", JSON.stringify(hosts)).slice(0, 12)}`;
      ofTools.set(key, { sessionId, hosts });
      return network.enter(key);
    },
    ofServer(server) {
      const key = `server.${hash("sha256", JSON.stringify([server.workspace, server.name, server.hosts])).slice(0, 16)}`;
      ofServers.set(key, server);
      return network.enter(key);
    },
    end(sessionId) {
      network.end(sessionId);
      for (const [key, each] of ofTools) {
        if (each.sessionId !== sessionId) continue;
        network.end(key);
        ofTools.delete(key);
      }
    },
    isUsed(workspace, isContained) {
      const own = config().network;
      if (own === "off") return false;
      if (isContained) return true; // a command that nobody was asked about never gets the network of the machine
      return own !== "on" || (late.limits?.(workspace) ?? []).some(({ network: limit }) => limit !== undefined && limit !== "on");
    },
  };
}

/** Decides whether a server may reach a host: its settings must name it, and no rule of the user may deny it. */
function mayServerReach(host: string, { name, hosts, notify }: ServerOfNetwork, rules: RuleSet): HostAnswer {
  const isNamed = hosts.some((each) => matchesWildcard(each.toLowerCase().replace(/:(?:80|443)$/, ""), host));
  const { effect, rule } = judge(rules, "network", [{ action: "network", resource: host }]);
  if (isNamed && effect !== "deny") return { allowed: true, why: "" };
  const why = isNamed ? `${rule?.source ?? "A rule"} denies it.` : `Add it to mcpServers.${name}.sandbox.hosts if the server may reach it.`;
  notify(`was not allowed to reach ${host}. ${why}`);
  return { allowed: false, why };
}

/** The secrets of the user's settings that have a value in the daemon's environment. */
const secretsIn = ({ network }: Config, env: SandboxNetworkSources["env"]): Secret[] =>
  Object.entries((typeof network === "object" ? network.secrets : undefined) ?? {}).flatMap(([name, hosts]) => {
    const value = env[name];
    return value !== undefined && value.length >= MIN_SECRET ? [{ name, value, hosts }] : [];
  });

/** This machine may have public addresses, on which its own programs listen. */
const isOwnAddress = (address: string): boolean =>
  Object.values(networkInterfaces()).some((rows) => rows?.some((row) => row.address === address));
