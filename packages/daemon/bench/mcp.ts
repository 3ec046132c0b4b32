import { fileURLToPath } from "node:url";
import { Client, StreamableHTTPClientTransport, type Transport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { TestDaemon } from "../test/support/daemon.ts";
import { HttpServer } from "../test/support/mcp/mcp-http-server.ts";
import { ModelServer, type Reply } from "../test/support/model-server.ts";
import type { Row } from "./table.ts";

/** Until both sides have connected and listed their tools. */
const WARM_UP = 50;
/** Measures new processes, and the same after the code has been compiled, as in a daemon that has run for days. */
const YOUNG = 500;
const CALLS = 500;
const STEPS = 60;

const client = fileURLToPath(new URL("../../cli/dist/main.js", import.meta.url));
const fixture = fileURLToPath(new URL("../test/support/mcp/mcp-server.ts", import.meta.url));
const floor = fileURLToPath(new URL("bare/bare-mcp-process.ts", import.meta.url));
const program = { command: process.execPath, args: [fixture, "good"] };

/** Measures the added cost of a call through the endpoint, which judges and records it, over a direct call to its server. */
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
  const bareRelay = { command: process.execPath, args: [floor, program.command, ...program.args] };
  const piped = await inTurns({
    bare: { transport: new StdioClientTransport(program), tool: "say" },
    relay: { transport: new StdioClientTransport(bareRelay), tool: "say" },
    ours: { transport: new StdioClientTransport(serve), tool: "good__say" },
  });
  const overHttp = await inTurns({
    bare: { transport: new StreamableHTTPClientTransport(new URL(server.url)), tool: "echo" },
    ours: { transport: new StreamableHTTPClientTransport(new URL(url), { requestInit }), tool: "far__echo" },
  });
  const relayed = added(piped.relay, piped.bare);
  const served = added(piped.ours, piped.bare);
  const asked = added(overHttp.ours, overHttp.bare);
  const relay = (values: Aged["old"]) => ({ what: "bare relay that syncs twice, added", values });
  const sdk = (values: Aged["old"]) => ({ what: "bare SDK", values });
  return [
    { what: "MCP call through a bare relay that syncs twice, added", unit: "ms", values: relayed.old, reference: sdk(piped.bare.old) },
    {
      what: "MCP call through `baton mcp serve`, added",
      unit: "ms",
      values: served.old,
      budget: "p95 2 ms",
      reference: relay(relayed.old),
    },
    { what: `the same, the first ${YOUNG} of a daemon`, unit: "ms", values: served.young, reference: relay(relayed.young) },
    {
      what: "MCP call through the endpoint, HTTP, added",
      unit: "ms",
      values: asked.old,
      budget: "p95 8 ms",
      reference: sdk(overHttp.bare.old),
    },
    { what: `the same over HTTP, the first ${YOUNG} of a daemon`, unit: "ms", values: asked.young, reference: sdk(overHttp.bare.young) },
  ];
}

type Way = { transport: Transport; tool: string };

/** How long calls took, in milliseconds: those of new processes, and later ones. */
type Aged = { young: readonly number[]; old: readonly number[] };

/** Alternates the calls, so that other work on the machine affects both equally. Returns how long each call took. */
async function inTurns<Name extends string>(ways: Record<Name, Way>): Promise<Record<Name, Aged>> {
  const names = Object.keys(ways) as Name[];
  const callers = await Promise.all(names.map((name) => timed(ways[name])));
  const took = callers.map((): number[] => []);
  for (let i = 0; i < WARM_UP + YOUNG + CALLS; i++) for (const [k, { call }] of callers.entries()) took[k]?.push(await call());
  await Promise.all(callers.map(({ close }) => close()));
  const aged = (all: readonly number[]): Aged => ({ young: all.slice(WARM_UP, WARM_UP + YOUNG), old: all.slice(WARM_UP + YOUNG) });
  return Object.fromEntries(names.map((name, k) => [name, aged(took[k] ?? [])])) as Record<Name, Aged>;
}

/** How much longer each call took than the direct one beside it. */
const added = (through: Aged, bare: Aged): Aged => ({ young: longer(through.young, bare.young), old: longer(through.old, bare.old) });

const longer = (values: readonly number[], than: readonly number[]): number[] => values.map((value, i) => value - (than[i] ?? 0));

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

/** Measures the time of a step while another session's server misbehaves, beside the time without it. */
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

/** From the end of each answer of the model to the following request, in a session of its own that reads files. */
async function gapsOf(daemon: TestDaemon, model: ModelServer): Promise<number[]> {
  const from = model.requests.length;
  const session = await daemon.session({ model: "local/m" });
  await session.runTurn("go", 1, { stepLimit: STEPS + 10 });
  session[Symbol.dispose]();
  return model.requests.slice(from + 1).map(({ at }, i) => at - (model.answeredAt[from + i] ?? at));
}
