import { omitUndefined } from "@baton/core/text/omit-undefined";
import type { ToolCatalog } from "@baton/core/toolset/tool-catalog";
import type { ServerTool, ServerManager, ServerRow } from "../server-manager.ts";

const CHARACTERS_PER_TOKEN = 4;

/** All tools that can be selected in a workspace now, for the toolset tools. The caller checks the status of the servers. */
export const buildCatalog = (host: Pick<ServerManager, "catalog" | "rows">, workspace: string): ToolCatalog => ({
  tools: toolsOf(host.catalog(workspace)),
  get servers() {
    return host.rows(workspace).map(serverOf);
  },
});

/** Cached by the manager's list, which stays the same object until something changes. Every call of another agent needs it. */
const made = new WeakMap<readonly ServerTool[], ToolCatalog["tools"]>();

function toolsOf(all: readonly ServerTool[]): ToolCatalog["tools"] {
  const known = made.get(all);
  if (known) return known;
  const tools = all.map(({ name, refId, server, listed }) => ({
    name,
    server,
    tool: listed.tool,
    description: listed.description,
    hints: listed.hints,
    refId,
    tokens: Math.ceil((name.length + listed.description.length + JSON.stringify(listed.schema).length) / CHARACTERS_PER_TOKEN),
  }));
  made.set(all, tools);
  return tools;
}

function serverOf({ name, status, problem }: ServerRow): ToolCatalog["servers"][number] {
  const isThere = status === "ready" || (status === "idle" && problem === undefined);
  return {
    name,
    status: isThere ? "available" : notReadyStatus(status),
    ...omitUndefined({ error: problem }),
  };
}

const notReadyStatus = (status: ServerRow["status"]): "disabled" | "unavailable" => (status === "disabled" ? "disabled" : "unavailable");
