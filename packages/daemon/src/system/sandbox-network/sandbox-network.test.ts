import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createServer, type Server as HttpServer } from "node:http";
import { createServer as createTcp, type AddressInfo, type Server } from "node:net";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { NetworkUse } from "./host-decisions.ts";
import { openSandboxNetwork, type SandboxNetwork } from "./sandbox-network.ts";
import type { NetworkTarget } from "./network-target.ts";

const works = existsSync("/usr/bin/bwrap") && existsSync("/usr/bin/nsenter");

const BOX = ["--unshare-user-try", "--unshare-pid", "--dev-bind", "/", "/", "--proc", "/proc", "--die-with-parent", "--"];

let web: HttpServer;
let echo: Server;
let network: SandboxNetwork;
let names: (host: string) => string[];
const portOf = (server: Server | HttpServer): number => (server.address() as AddressInfo).port;

beforeAll(async () => {
  web = createServer((request, response) =>
    response.end(`${request.method} ${request.url} ${request.headers.host} ${JSON.stringify(request.headers)}`),
  );
  echo = createTcp({ allowHalfOpen: true }, (socket) => socket.on("error", () => undefined).pipe(socket));
  await Promise.all([web, echo].map((server) => new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve))));
  network = openSandboxNetwork({
    bootId: "unit",
    gate: async (_, target: NetworkTarget) => {
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
  return { out: Buffer.concat([out, err]).toString(), use: entry.use };
}

async function entered(session: string) {
  const entry = await network.enter(session);
  if (typeof entry === "string") throw new Error(entry);
  return entry;
}

test.runIf(works)("programs reach allowed hosts through the proxy by HTTP, tunnels and SOCKS", async () => {
  const url = `http://good.example:${portOf(web)}`;
  const { out, use } = await run(
    `curl -s ${url}/a; curl -s -p ${url}/b; curl -s -x socks5h://\${HTTP_PROXY#http://} ${url}/c; curl -s http://bad.example/`,
  );
  for (const path of ["/a", "/b", "/c"]) expect(out).toContain(`GET ${path} good.example`);
  expect(out).toContain("the host bad.example is not allowed. A rule denies it.");
  expect(use).toEqual({ reached: [`good.example:${portOf(web)}`], refused: [{ host: "bad.example", why: "A rule denies it." }] });
});

test.runIf(works)("nothing but the proxy leads out: no address, no name server, no abstract socket, no interface", async () => {
  const abstract = createTcp().listen("\0baton-test-abstract");
  const port = portOf(web);
  const { out } = await run(
    [
      ...["127.0.0.1", "[::1]", "localhost"].map((host) => `curl -s -m 2 --noproxy '*' http://${host}:${port}/ && echo LEAK`),
      ...["127.0.0.1", "169.254.169.254", "0.0.0.0", "[::ffff:127.0.0.1]"].map(
        (host) => `curl -s http://${host}:${port}/ | grep 'web saw' && echo LEAK`,
      ),
      "exec 3<>/dev/udp/1.1.1.1/53 && echo LEAK",
      "getent ahosts example.com && echo LEAK",
      "grep baton-test-abstract /proc/net/unix && echo LEAK",
      "unshare -rn true; nsenter -t 1 -n curl -s -m 2 --noproxy '*' http://127.0.0.1:" + port + " && echo LEAK",
      "tail -n +3 /proc/net/dev | cut -d: -f1",
    ].join("\n"),
  );
  abstract.close();
  expect(out).not.toContain("LEAK");
  expect(out).toMatch(/^ *lo$/m);
  expect(out).not.toMatch(/eth|wlan|ens/);
});

test.runIf(works)("programs of one session reach each other, and those of another session do not", async () => {
  const program = `require("node:net").createServer((s) => s.end("found", () => process.exit())).listen(7001)`;
  const server = run(`'${process.execPath}' -e '${program}'`, "one");
  const probe = (times: number) =>
    `for i in $(seq ${times}); do exec 3<>/dev/tcp/127.0.0.1/7001 && cat <&3 && break; sleep 0.02; done 2>/dev/null`;
  const inSame = run(probe(250), "one");
  expect((await run(probe(3), "two")).out).not.toContain("found");
  expect((await inSame).out).toContain("found");
  await server;
  for (const session of ["one", "two"]) network.end(session);
});

test.runIf(works)("a server of a background command is reachable on this machine, on another port if its own is taken", async () => {
  const heard: string[] = [];
  const taken = createTcp().listen(0, "127.0.0.1");
  await new Promise((resolve) => taken.once("listening", resolve));
  const port = portOf(taken);
  const entry = await network.enter("three", { background: true, notify: (text) => heard.push(text) });
  if (typeof entry === "string") throw new Error(entry);
  const program = `require("node:http").createServer((_, response) => response.end("dev server")).listen(${port})`;
  const { file, args } = entry.wrap({ file: "/usr/bin/bwrap", args: [...BOX, process.execPath, "-e", program] });
  const child = spawn(file, args, { env: { PATH: process.env["PATH"] }, stdio: "ignore" });
  while (heard.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  const outside = /port (\d+) of the sandbox is http:\/\/localhost:(\d+)/.exec(heard.join(""));
  expect(outside?.[1]).toBe(String(port));
  expect(outside?.[2]).not.toBe(String(port));
  const answers = await Promise.all(Array.from({ length: 10 }, async () => (await fetch(`http://127.0.0.1:${outside?.[2]}/`)).text()));
  expect(answers).toEqual(Array(10).fill("dev server"));
  expect(heard).toHaveLength(1);
  entry.leave();
  child.kill("SIGKILL");
  network.end("three");
  taken.close();
});
