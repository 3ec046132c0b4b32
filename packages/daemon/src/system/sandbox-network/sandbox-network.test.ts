import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createServer, type Server as HttpServer } from "node:http";
import { createServer as createTcp, type AddressInfo, type Server } from "node:net";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { NetworkUse } from "./host-decisions.ts";
import { openSandboxNetwork, type SandboxNetwork } from "./sandbox-network.ts";
import type { Target } from "./target.ts";

const works = existsSync("/usr/bin/bwrap") && existsSync("/usr/bin/nsenter");

const BOX = ["--unshare-user-try", "--unshare-pid", "--dev-bind", "/", "/", "--proc", "/proc", "--die-with-parent", "--"];

const asked: string[] = [];
let web: HttpServer;
let echo: Server;
let network: SandboxNetwork;
let names: (host: string) => string[];
const portOf = (server: Server | HttpServer): number => (server.address() as AddressInfo).port;

beforeAll(async () => {
  web = createServer((request, response) => response.end(`${request.method} ${request.url} ${request.headers.host} ${JSON.stringify(request.headers)}`));
  echo = createTcp({ allowHalfOpen: true }, (socket) => socket.on("error", () => undefined).pipe(socket));
  await Promise.all([web, echo].map((server) => new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve))));
  network = openSandboxNetwork({
    bootId: "unit",
    gate: async (_, target: Target) => {
      asked.push(`${target.host}:${target.port}`);
      return target.host.startsWith("good") ? { allowed: true, why: "" } : { allowed: false, why: "A rule denies it.", whileRunning: true };
    },
    mayReach: (address) => address === "127.0.0.1",
    upstreamFor: () => undefined,
    resolve: async (host) => names(host),
  });
  names = () => ["127.0.0.1"];
});

afterAll(() => {
  network.close();
  web.close();
  echo.close();
});

/** Runs a shell command in the network of a session. */
async function run(command: string, session = "s"): Promise<{ out: string; use: NetworkUse }> {
  const entry = await entered(session);
  const { file, args } = entry.wrap({ file: "/usr/bin/bwrap", args: [...BOX, "bash", "-c", command] });
  const child = spawn(file, args, { env: { PATH: process.env["PATH"], ...entry.env }, stdio: ["ignore", "pipe", "pipe"] });
  const [out, err] = await Promise.all([buffer(child.stdout), buffer(child.stderr)]);
  entry.leave();
  return { out: `${out}${err}`, use: entry.use };
}

async function entered(session: string) {
  const entry = await network.enter(session);
  if (typeof entry === "string") throw new Error(entry);
  return entry;
}

test.runIf(works)("programs reach allowed hosts through the proxy, and nothing else", async () => {
  const port = portOf(web);
  const { out, use } = await run(
    `curl -s http://good.example:${port}/a; echo; curl -s -p http://good.example:${port}/b; echo; curl -s -x socks5h://\${HTTP_PROXY#http://} http://good.example:${port}/c; echo; curl -s http://bad.example/; curl -s -m 5 --noproxy '*' http://127.0.0.1:${port}/; echo "direct $?"`,
  );
  console.log(out, use, asked);
});
