import { spawn } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { TestDaemon } from "../support/daemon.ts";
import { agents, type Agent, type Scene } from "./agents.ts";
import { PeerModel, type Asked } from "./model.ts";

/**
 * Measures when other agents notice changed tools of Baton's endpoint: `npm run pnpm -- --filter @baton/daemon peers FOLDER`, with a
 * folder in which they are installed (`npm install --ignore-scripts @anthropic-ai/claude-code opencode-ai @google/gemini-cli
 * @openai/codex`). `baton mcp install` sets each of them up. A scripted model on loopback asks it to enter configuration mode and to list
 * the tools. Prints a table.
 */
const [installed = "", ...only] = process.argv.slice(2);
const client = fileURLToPath(new URL("../../../cli/dist/main.js", import.meta.url));
const fixture = fileURLToPath(new URL("../support/mcp/mcp-server.ts", import.meta.url));
const DELAY_MS = 1_500;
const MAX_MS = 120_000;

type Row = { agent: string; way: string; asked: readonly Asked[]; code: number | null; out: string };

const rows: Row[] = [];
for (const agent of agents.filter(({ name }) => only.length === 0 || only.includes(name)))
  for (const way of ["stdio", "http"]) rows.push(await tryOut(agent, way));
console.log(
  ["| agent | way | next request | the one after | calling the new tool | a hidden tool |", "| --- | --- | --- | --- | --- | --- |"].join(
    "\n",
  ),
);
for (const row of rows) console.log(lineOf(row));

async function tryOut(agent: Agent, way: string): Promise<Row> {
  const program = path.join(installed, "node_modules", agent.program);
  if (!existsSync(program)) return { agent: agent.name, way, asked: [], code: null, out: `it is not installed: ${program}` };
  await using model = await PeerModel.start(DELAY_MS);
  await using daemon = await TestDaemon.start({
    config: {
      mcpServers: { good: { command: process.execPath, args: [fixture, "good"] } },
      permissions: ["mcp", "configure"].map((action) => ({ action, resource: "*", effect: "allow" })),
    },
  });
  const scene: Scene = { workspace: daemon.workspace, home: path.join(daemon.root, "agent"), model: model.url, installed };
  mkdirSync(scene.home);
  agent.prepare(scene);
  const env = { PATH: process.env["PATH"] ?? "", HOME: scene.home, BATON_HOME: daemon.home, TERM: "dumb", ...agent.env(scene) };
  const install = ["mcp", "install", agent.name, "--write", "--cwd", scene.workspace, ...(way === "http" ? ["--http"] : [])];
  const put = await run(process.execPath, [client, ...install], scene.workspace, env);
  if (put.code !== 0) return { agent: agent.name, way, asked: [], ...put };
  const { api } = daemon.connect();
  await api.mcp.test.mutate({ cwd: scene.workspace, name: "good" });
  const input = { name: "talk", tools: [{ namespacedName: "good__say" }], autoEquip: true };
  const built = await api.toolset.act.mutate({ cwd: scene.workspace, profile: agent.name, tool: "build-toolset", input });
  if (built["equipped"] !== true) throw new Error(JSON.stringify(built));
  const args = agent.args("enter config mode", scene);
  const ran = program.endsWith(".js")
    ? await run(process.execPath, [program, ...args], scene.workspace, env)
    : await run(program, args, scene.workspace, env);
  if (process.env["BATON_PEERS_LOUD"]) console.log(agent.name, way, ran, model.unknown, JSON.stringify(model.asked, undefined, 1));
  return { agent: agent.name, way, asked: model.asked, ...ran };
}

function run(
  program: string,
  args: readonly string[],
  cwd: string,
  env: Record<string, string>,
): Promise<{ code: number | null; out: string }> {
  return new Promise((ended) => {
    const child = spawn(program, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"], timeout: MAX_MS, killSignal: "SIGKILL" });
    let out = "";
    child.stdout.on("data", (chunk: Buffer) => (out += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (out += chunk.toString()));
    child.on("close", (code) => ended({ code, out }));
  });
}

/** The result for a user: the first request in which the model sees the new tools, and whether a call of one works. */
function lineOf({ agent, way, asked, code, out }: Row): string {
  const [, second, third] = asked;
  if (!second) return `| ${agent} | ${way} | did not come so far (${code}): ${out.replaceAll(/\s+/g, " ").slice(-200)} | | | |`;
  const sees = (at: Asked | undefined) =>
    at ? (at.tools.some((name) => /list.available.tools$/.test(name)) ? "new tools" : "old list") : "none";
  const worked = third ? (/summary/.test(third.last) ? "works" : `fails: ${third.last.slice(-120).replaceAll("|", "/")}`) : "none";
  const hidden = third?.tools.some((name) => name.endsWith("__say")) === true ? "still listed" : "gone";
  return `| ${agent} | ${way} | ${sees(second)} | ${sees(third)} | ${worked} | ${hidden} |`;
}
