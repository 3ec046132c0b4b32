import { launchHash } from "../../mcp/server-definition.ts";
import type { ServerManager } from "../../mcp/server-manager.ts";
import type { SessionServers } from "../../session/session-dependencies.ts";
import type { WorkspaceDecisions } from "../../session/workspace/workspace-decisions.ts";
import type { ModeServers } from "../agent/mode-mcp-servers.ts";
import { approvalScope } from "../agent/open-mcp-servers.ts";

/** The MCP servers as sessions see them. */
export function sessionMcpServers(host: ServerManager, inMode: ModeServers, workspaces: WorkspaceDecisions): SessionServers {
  return {
    warm: inMode.warm,
    starting: (workspace) => host.starting(workspace),
    names: (workspace) => host.names(workspace),
    questions: (workspace, mode) => {
      const all = host.questions(workspace);
      if (mode === undefined) return all;
      return all.filter(({ server }) => inMode.isUsed(host.definition(workspace, server) ?? {}, workspace, mode));
    },
    settle: async (workspace, { server, hash, approved, by }) => {
      const found = host.approved(workspace, server, hash);
      if (!found) return; // the question is outdated, so its answer has no effect
      const scope = approvalScope(workspace, found.definition);
      await workspaces.judgeServer(
        scope,
        approved
          ? { type: "server.approved", server, launch: launchHash(found.definition), tools: found.tools, by }
          : { type: "server.refused", server, hash, by },
      );
      host.refresh(workspace);
    },
  };
}
