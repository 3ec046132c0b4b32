import { useCallback, useEffect, useState } from "react";
import type { Api } from "../../connection/connection.ts";
import { useApp, useConnected } from "../../store/app-context.ts";

export type Server = Awaited<ReturnType<Api["mcp"]["list"]["query"]>>[number];
export type Question = Awaited<ReturnType<Api["mcp"]["questions"]["query"]>>[number];
/** A tool that can be chosen; `tokens` is about what it costs in each request. */
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

/** What there is in a folder; `tools` come last, as servers are started for them. */
export type ToolsetsData = {
  servers?: readonly Server[];
  questions?: readonly Question[];
  toolsets?: readonly ToolsetRow[];
  ofModes?: readonly { mode: string; toolset: string }[];
  tools?: readonly ListedTool[];
};

type Tool = Parameters<Api["toolset"]["act"]["mutate"]>[0]["tool"];

/** One of the toolset tools in the person's place. Throws what it says when nothing was done. */
export async function runToolsetTool<Answer>(api: Api, cwd: string, tool: Tool, input: object): Promise<Answer> {
  return answerOf(await api.toolset.act.mutate({ cwd, tool, input }));
}

/** An answer of the toolset tools, or why there is none. */
export function answerOf<Answer>(answer: Record<string, unknown>): Answer {
  if (answer["ok"] !== true) throw new Error(String(answer["message"]));
  return answer as Answer; // each tool answers in its own shape
}

const POLL_MS = 2_000;

/** Looks again with `again`, and at the servers every now and then, as they start, end and change by themselves. */
export function useToolsets(cwd: string): { known: ToolsetsData; again: () => void } {
  const { link, tell } = useApp();
  const connected = useConnected();
  const [known, setKnown] = useState<ToolsetsData>({});
  const [asked, setAsked] = useState(0);
  const again = useCallback(() => setAsked((times) => times + 1), []);
  useEffect(() => {
    if (!connected) return;
    let wanted = true;
    const { api } = link;
    const learn = (more: ToolsetsData) => wanted && setKnown((before) => ({ ...before, ...more }));
    const rows = async () => {
      const [servers, questions] = await Promise.all([api.mcp.list.query({ cwd }), api.mcp.questions.query({ cwd, refused: true })]);
      learn({ servers, questions });
      return JSON.stringify(servers.map(({ name, tools }) => [name, tools]));
    };
    const all = async () => {
      learn({ ofModes: await api.toolset.modes.query() });
      const tools = await allTools(api, cwd);
      const { toolsets } = await runToolsetTool<{ toolsets: ToolsetRow[] }>(api, cwd, "list-saved-toolsets", {});
      learn({ tools, toolsets });
    };
    const watch = async () => {
      for (let had: string | undefined; wanted;) {
        const has = await rows();
        if (has !== had) await all();
        had = has;
        await new Promise((rested) => setTimeout(rested, POLL_MS));
      }
    };
    watch().catch((error: unknown) => (wanted ? tell(error) : undefined));
    return () => void (wanted = false);
  }, [link, cwd, asked, connected, tell]);
  return { known, again };
}

async function allTools(api: Api, cwd: string): Promise<ListedTool[]> {
  const found: ListedTool[] = [];
  for (let cursor: string | undefined; ;) {
    const page = await runToolsetTool<{ tools: ListedTool[]; nextCursor?: string }>(api, cwd, "list-available-tools", {
      limit: 500,
      ...(cursor === undefined ? {} : { cursor }),
    });
    found.push(...page.tools);
    if (page.nextCursor === undefined) return found;
    cursor = page.nextCursor;
  }
}
