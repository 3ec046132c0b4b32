import type { McpServer } from "@baton/core/protocol/mcp";

export type LentServers = Readonly<Record<string, McpServer>>;

/** Servers that clients bring along, for sessions in one workspace and for as long as the client is there. */
export type Lent = {
  /** Gives back what takes them away again. */
  lend: (workspace: string, client: string, servers: LentServers) => () => void;
  of: (workspace: string) => readonly { client: string; servers: LentServers }[];
};

/** `changed` is called with a workspace whose servers are others than before. */
export function openLent(changed: (workspace: string) => void): Lent {
  const lent = new Map<string, Set<{ client: string; servers: LentServers }>>();
  return {
    lend(workspace, client, servers) {
      const here = lent.get(workspace) ?? new Set();
      const mine = { client, servers };
      lent.set(workspace, here.add(mine));
      changed(workspace);
      return () => {
        if (!here.delete(mine)) return;
        if (here.size === 0 && lent.get(workspace) === here) lent.delete(workspace);
        changed(workspace);
      };
    },
    of: (workspace) => [...(lent.get(workspace) ?? [])],
  };
}
