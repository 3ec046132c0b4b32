import { fileURLToPath } from "node:url";
import { Client, StreamableHTTPClientTransport, type Transport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { TestDaemon } from "../test/support/daemon.ts";
import { HttpServer } from "../test/support/mcp-http-server.ts";
import { ModelServer, type Reply } from "../test/support/model-server.ts";
import type { Row } from "./table.ts";

const WARM_UP = 50;
const CALLS = 500;
const STEPS = 60;

const client = fileURLToPath(new URL("../../cli/dist/main.js", import.meta.url));
const fixture = fileURLToPath(new URL("../test/support/mcp-server.ts", import.meta.url));
const program = { command: process.execPath, args: [fixture, "good"] };

/** What a call costs more when it goes through our endpoint, judged and written down, than straight to its server. */
export async function calls(): Promise<Row[]> {
  await using server = await HttpServer.start();
  await using daemon = await TestDaemon.start({
    config: {
      mcpServers: { good: program, far: { url: server.url } },
      permissions: ["mcp", "configure"].map((action) => ({ action, resource: "*", effect: "allow" })),
    },
  });
  const cwd = daemon.workspace;
  const { api } = daemon.connect();
  const { url, token } = await api.mcp.openEndpoint.mutate({ cwd, profile: "bench", policy: "flat" });
  for (const name of ["good", "far"]) await api.mcp.test.mutate({ cwd, name });
  const tools = ["good__say", "far__echo"].map((namespacedName) => ({ namespacedName }));
  await api.toolset.act.mutate({ cwd, profile: "bench", tool: "build-toolset", input: { name: "both", tools, autoEquip: true } });
  const env = { PATH: process.env["PATH"] ?? "", HOME: daemon.root, BATON_HOME: daemon.home };
  const serve = { command: process.execPath, args: [client, "mcp", "serve", "--profile", "bench"], cwd, env };
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  const piped = await added(
    { transport: new StdioClientTransport(serve), tool: "good__say" },
    { transport: new StdioClientTransport(program), tool: "say" },
  );
  const overHttp = await added(
    { transport: new StreamableHTTPClientTransport(new URL(url), { requestInit }), tool: "far__echo" },
    { transport: new StreamableHTTPClientTransport(new URL(server.url)), tool: "echo" },
  );
  return [
    { what: "MCP call through `baton mcp serve`, added", unit: "ms", values: piped.added, budget: "p95 2 ms", reference: piped.bare },
    {
      what: "MCP call through the endpoint, HTTP, added",
      unit: "ms",
      values: overHttp.added,
      budget: "p95 8 ms",
      reference: overHttp.bare,
    },
  ];
}

type Way = { transport: Transport; tool: string };

/** Calls both ways by turns, so that what else the machine does falls on both; the differences, and what the bare way took. */
async function added(through: Way, bare: Way): Promise<{ added: number[]; bare: NonNullable<Row["reference"]> }> {
  const [ours, theirs] = [await timed(through), await timed(bare)];
  const both: [ours: number, theirs: number][] = [];
  for (let i = 0; i < WARM_UP + CALLS; i++) both.push([await ours.call(), await theirs.call()]);
  await Promise.all([ours.close(), theirs.close()]);
  const counted = both.slice(WARM_UP);
  return { added: counted.map(([a, b]) => a - b), bare: { what: "bare SDK", values: counted.map(([, b]) => b) } };
}

async function timed({ transport, tool }: Way): Promise<{ call: () => Promise<number>; close: () => Promise<void> }> {
  const sdk = new Client({ name: "bench", version: "1" }, { versionNegotiation: { mode: "auto" } });
  await sdk.connect(transport);
  return {
    async call() {
      const began = performance.now();
      const { isError } = await sdk.callTool({ name: tool, arguments: { text: "x" } });
      if (isError === true) throw new Error(`${tool} failed`);
      return performance.now() - began;
    },
    close: () => sdk.close(),
  };
}

/** What a session needs for a step while another one's server misbehaves, beside what it needs alone. */
export async function beside(): Promise<Row[]> {
  const read: Reply = { calls: [{ tool: "read_file", input: { path: "notes.txt" } }] };
  await using model = await ModelServer.start({ replies: Array.from({ length: STEPS }, () => read) });
  await using other = await ModelServer.start({ replies: [] });
  await using daemon = await TestDaemon.start({
    config: {
      mcpServers: { bad: { ...program, timeoutMs: 60_000 } },
      permissions: [
        { action: "mcp", resource: "*", effect: "allow" },
        { action: "loop_guard", resource: "*", effect: "allow" },
      ],
      providers: Object.fromEntries(
        Object.entries({ local: model, other }).map(([name, { url }]) => [name, { kind: "openai-compatible", baseUrl: url }]),
      ),
    },
  });
  daemon.write("notes.txt", "A line of text.\n".repeat(40));
  await gapsOf(daemon, model);
  const alone = { what: "alone", values: await gapsOf(daemon, model) };
  const rows: Row[] = [];
  for (const [tool, does] of [
    ["flood", "floods its error output"],
    ["huge", "answers with 100 MB, again and again"],
    ["never", "hangs"],
  ]) {
    other.options = { replies: Array.from({ length: 1_000 }, () => ({ calls: [{ tool: `bad__${tool}`, input: {} }] })) };
    const disturbing = await daemon.session({ model: "other/m" });
    await disturbing.prompt("go", { stepLimit: 1_000 });
    await disturbing.until("its call", ({ state }) => state.calls.some(({ phase }) => phase === "running"));
    rows.push({
      what: `own time per step beside a server that ${does}`,
      unit: "ms",
      values: await gapsOf(daemon, model),
      budget: "2 × alone",
      reference: alone,
    });
    await disturbing.wish({ type: "interrupt" });
    await disturbing.untilEnd();
    disturbing[Symbol.dispose]();
  }
  return rows;
}

/** From the end of each answer of the model to the request that follows it, in a session of its own that reads. */
async function gapsOf(daemon: TestDaemon, model: ModelServer): Promise<number[]> {
  const from = model.requests.length;
  const session = await daemon.session({ model: "local/m" });
  await session.prompt("go", { stepLimit: STEPS + 10 });
  await session.untilEnd();
  session[Symbol.dispose]();
  return model.requests.slice(from + 1).map(({ at }, i) => at - (model.answeredAt[from + i] ?? at));
}
