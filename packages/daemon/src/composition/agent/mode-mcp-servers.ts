import type { McpServerDefinition } from "../../mcp/server-definition.ts";
import type { OfferedServerTools, ServerManager } from "../../mcp/server-manager.ts";

/** The MCP servers without those of plugins that a mode does not use. Without a mode: all servers. */
export type ModeServers = {
  offering: (workspace: string, mode: string | undefined) => OfferedServerTools;
  isUsed: (definition: Pick<McpServerDefinition, "plugin">, workspace: string, mode: string) => boolean;
  warm: (workspace: string, mode: string | undefined, signal: AbortSignal) => Promise<void>;
};

/** `unusedIn`: the plugins that are used in the workspace, but not in this mode. */
export function openModeServers(servers: ServerManager, unusedIn: (workspace: string, mode: string) => ReadonlySet<string>): ModeServers {
  const isUsed: ModeServers["isUsed"] = ({ plugin }, workspace, mode) => plugin === undefined || !unusedIn(workspace, mode).has(plugin);
  /** An offering keeps its identity while nothing in it changes, so its parts do so as well. */
  const parts = new WeakMap<OfferedServerTools, Map<string, OfferedServerTools>>();
  return {
    isUsed,
    offering: (workspace, mode) => {
      const whole = servers.offering(workspace);
      if (mode === undefined) return whole;
      const unused = whole.servers.flatMap(({ definition }) => (isUsed(definition, workspace, mode) ? [] : definition.name));
      if (unused.length === 0) return whole;
      const known = parts.get(whole) ?? new Map<string, OfferedServerTools>();
      parts.set(whole, known);
      const key = unused.join(" ");
      const part = known.get(key) ?? {
        tools: whole.tools.filter(({ server }) => !unused.includes(server)),
        servers: whole.servers.filter(({ definition }) => !unused.includes(definition.name)),
      };
      known.set(key, part);
      return part;
    },
    warm: (workspace, mode, signal) =>
      servers.warm(workspace, signal, (definition) => mode === undefined || isUsed(definition, workspace, mode)),
  };
}
