import type { ToolCatalog } from "@baton/core/toolset/tool-catalog";
import { newToolsetState, reduceToolset } from "@baton/core/toolset/toolset-selection-state";
import { isSharedToolsetEvent } from "../../../src/session/servers/change-session-toolset.ts";
import type { SessionDependencies } from "../../../src/session/session-dependencies.ts";

const catalog: ToolCatalog = {
  tools: [{ name: "sim__say", server: "sim", tool: "say", description: "Says it.", hints: {}, refId: "h", tokens: 1 }],
  servers: [{ name: "sim", status: "available" }],
};

/** Servers and toolsets of the simulated world: one server that needs an approval, and toolsets that survive the daemon. */
export function simServers(): Pick<SessionDependencies, "servers" | "toolsets"> {
  const approvals = new Set<string>();
  let standing = newToolsetState("dual");
  return {
    servers: {
      warm: async () => undefined,
      starting: () => false,
      names: () => ["sim"],
      questions: (workspace) =>
        approvals.has(workspace)
          ? []
          : [{ server: "sim", hash: "h".repeat(64), what: "launch", header: "Start it?", text: "It wants to start." }],
      settle: async (workspace) => void approvals.add(workspace),
    },
    toolsets: {
      state: () => standing,
      catalog: () => catalog,
      ofProfile: async (_, run) => run(standing),
      change: async (run) => {
        const acted = run(standing);
        if (acted.ok) standing = acted.events.filter(isSharedToolsetEvent).reduce(reduceToolset, standing);
        return acted;
      },
    },
  };
}
