import type { ToolCatalog } from "@baton/core/toolset/catalog";
import type { CatalogueTool, ServerManager, ServerRow } from "../server-manager.ts";

const LETTERS_A_TOKEN = 4;

/** What there is to choose from in a workspace now, as the toolset tools speak of it. How the servers stand is looked at by those who ask. */
export const buildCatalog = (host: ServerManager, workspace: string): ToolCatalog => ({
  tools: toolsOf(host.catalogue(workspace)),
  get servers() {
    return host.rows(workspace).map(serverOf);
  },
});

/** By the host's own list, which stays the same object as long as nothing in it changes: every call of another agent asks for it. */
const made = new WeakMap<readonly CatalogueTool[], ToolCatalog["tools"]>();

function toolsOf(all: readonly CatalogueTool[]): ToolCatalog["tools"] {
  const known = made.get(all);
  if (known) return known;
  const tools = all.map(({ name, refId, server, listed }) => ({
    name,
    server,
    tool: listed.tool,
    description: listed.description,
    hints: listed.hints,
    refId,
    tokens: Math.ceil((name.length + listed.description.length + JSON.stringify(listed.schema).length) / LETTERS_A_TOKEN),
  }));
  made.set(all, tools);
  return tools;
}

function serverOf({ name, status, problem }: ServerRow): ToolCatalog["servers"][number] {
  const isThere = status === "ready" || (status === "idle" && problem === undefined);
  return {
    name,
    status: isThere ? "available" : status === "disabled" ? "disabled" : "unavailable",
    ...(problem === undefined ? {} : { error: problem }),
  };
}
