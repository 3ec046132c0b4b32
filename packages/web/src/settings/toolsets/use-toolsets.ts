import { omitUndefined } from "@baton/core/text/omit-undefined";
import { runDetached } from "@baton/core/client/run-detached";
import type { Api } from "../../connection/connection-types.ts";
import { useApp, useConnected } from "../../store/app-context.ts";
import { useQuery } from "../../store/data/use-query.ts";

export type McpServerRow = Awaited<ReturnType<Api["mcp"]["list"]["query"]>>[number];
export type McpQuestion = Awaited<ReturnType<Api["mcp"]["questions"]["query"]>>[number];
/** A tool that can be selected; `tokens` is its approximate cost in each request. */
export type ListedTool = {
  namespacedName: string;
  description: string;
  tokens: number;
  inToolsets: readonly string[];
  hints: { readOnly?: boolean; destructive?: boolean };
};
export type ToolsetRow = {
  name: string;
  description: string;
  toolCount: number;
  missing: readonly string[];
  changed: readonly string[];
  tokens: number;
};

/** The data of a folder. `tools` arrive last, because the daemon starts servers for them. */
export type ToolsetsData = {
  servers?: readonly McpServerRow[];
  questions?: readonly McpQuestion[];
  toolsets?: readonly ToolsetRow[];
  ofModes?: readonly { mode: string; toolset: string }[];
  tools?: readonly ListedTool[];
};

type Tool = Parameters<Api["toolset"]["act"]["mutate"]>[0]["tool"];

/** Runs one of the toolset tools for the user. Throws its message if it fails. */
export async function runToolsetTool<Answer>(api: Api, cwd: string, tool: Tool, input: object): Promise<Answer> {
  return toolResult(await api.toolset.act.mutate({ cwd, tool, input }));
}

/** The result of a toolset tool. Throws its message if it failed. */
export function toolResult<Answer>(answer: Record<string, unknown>): Answer {
  if (answer["ok"] !== true) throw new Error(String(answer["message"]));
  return answer as Answer; // each tool has its own result type
}

const POLL_MS = 2_000;

/** The toolsets and servers of a folder. Polls the servers, because they start, end and change on their own. */
export function useToolsets(cwd: string): { known: ToolsetsData; again: () => void } {
  const { link, tell } = useApp();
  const connected = useConnected();
  const { api } = link;
  const listServers = async (signal: AbortSignal) => {
    const [servers, questions] = await Promise.all([
      api.mcp.list.query({ cwd }, { signal }),
      api.mcp.questions.query({ cwd, refused: true }, { signal }),
    ]);
    return { servers, questions };
  };
  const listToolsets = async () => {
    const tools = await allTools(api, cwd);
    const { toolsets } = await runToolsetTool<{ toolsets: ToolsetRow[] }>(api, cwd, "list-saved-toolsets", {});
    return { tools, toolsets };
  };
  const ofServers = useQuery(connected ? listServers : undefined, [link, cwd], { pollMs: POLL_MS, onError: tell });
  const toolNames = ofServers.data && JSON.stringify(ofServers.data.servers.map(({ name, tools }) => [name, tools]));
  const hasServers = connected && toolNames !== undefined;
  const ofModes = useQuery(hasServers ? (signal) => api.toolset.modes.query(undefined, { signal }) : undefined, [link, toolNames], {
    onError: tell,
  });
  const ofTools = useQuery(hasServers ? listToolsets : undefined, [link, cwd, toolNames], { onError: tell });
  const again = () => runDetached(Promise.all([ofServers.refetch(), ofModes.refetch(), ofTools.refetch()]), tell);
  return { known: { ...ofServers.data, ...ofTools.data, ...(ofModes.data && { ofModes: ofModes.data }) }, again };
}

async function allTools(api: Api, cwd: string): Promise<ListedTool[]> {
  const found: ListedTool[] = [];
  for (let cursor: string | undefined; ;) {
    const page = await runToolsetTool<{ tools: ListedTool[]; nextCursor?: string }>(api, cwd, "list-available-tools", {
      limit: 500,
      ...omitUndefined({ cursor }),
    });
    found.push(...page.tools);
    if (page.nextCursor === undefined) return found;
    cursor = page.nextCursor;
  }
}
