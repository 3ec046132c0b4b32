import type { McpServer } from "@baton/core/protocol/config/mcp";

type ClientServerDefinitions = Readonly<Record<string, McpServer>>;

/** MCP servers that clients provide for sessions in one workspace while they are connected. */
export type ClientServers = {
  /** Returns a function that removes the servers. */
  lend: (workspace: string, client: string, servers: ClientServerDefinitions) => () => void;
  of: (workspace: string) => readonly { client: string; servers: ClientServerDefinitions }[];
};

/** `changed` is called with a workspace whose servers have changed. */
export function openClientServers(changed: (workspace: string) => void): ClientServers {
  const provided = new Map<string, Set<{ client: string; servers: ClientServerDefinitions }>>();
  return {
    lend(workspace, client, servers) {
      const here = provided.get(workspace) ?? new Set();
      const mine = { client, servers };
      provided.set(workspace, here.add(mine));
      changed(workspace);
      return () => {
        if (!here.delete(mine)) return;
        if (here.size === 0 && provided.get(workspace) === here) provided.delete(workspace);
        changed(workspace);
      };
    },
    of: (workspace) => [...(provided.get(workspace) ?? [])],
  };
}
