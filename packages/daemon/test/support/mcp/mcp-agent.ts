import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { ListingPolicy } from "@baton/core/protocol/toolset/toolset-profile";
import type { TestDaemon } from "../daemon.ts";

type Era = "legacy" | "auto";

/** A client of the endpoint, which counts the notifications about changed tools. */
export class Agent implements AsyncDisposable {
  readonly client: Client;
  notices = 0;
  constructor(mode: Era) {
    this.client = new Client(
      { name: "test agent", version: "1" },
      { versionNegotiation: { mode }, listChanged: { tools: { autoRefresh: true, debounceMs: 0, onChanged: () => void this.notices++ } } },
    );
  }
  static async enter(daemon: TestDaemon, { era = "auto", policy = "dual" }: { era?: Era; policy?: ListingPolicy } = {}): Promise<Agent> {
    const { url, token } = await daemon.connect().api.mcp.openEndpoint.mutate({ cwd: daemon.workspace, profile: "agent", policy });
    return Agent.at(url, token, era);
  }
  static async at(url: string, token: string, era: Era): Promise<Agent> {
    const agent = new Agent(era);
    await agent.client.connect(
      new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: { authorization: `Bearer ${token}` } } }),
    );
    return agent;
  }
  async tools(): Promise<string[]> {
    return (await this.client.listTools({}, { cacheMode: "refresh" })).tools.map(({ name }) => name);
  }
  async call(name: string, input: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
    const { structuredContent, content, isError = false } = await this.client.callTool({ name, arguments: input });
    const [first] = content;
    return structuredContent === undefined
      ? { text: first?.type === "text" ? first.text : "", isError }
      : { ...(structuredContent as Record<string, unknown>), isError };
  }
  async [Symbol.asyncDispose](): Promise<void> {
    await this.client.close();
  }
}
