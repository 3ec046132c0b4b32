import { request, type IncomingHttpHeaders } from "node:http";
import { connect } from "node:net";
import { expect, test } from "vitest";
import { WebSocket } from "ws";
import { TestDaemon } from "../support/daemon.ts";

type Attempt = { status: number; body: string; headers: IncomingHttpHeaders };

/** The status code of an upgrade with these headers: 101 if the daemon accepts it. */
function knock(port: number, headers: Record<string, string>): Promise<Attempt> {
  const upgrade = {
    connection: "Upgrade",
    upgrade: "websocket",
    "sec-websocket-version": "13",
    "sec-websocket-key": "AAAAAAAAAAAAAAAAAAAAAA==",
  };
  return new Promise((answer, fail) => {
    const asking = request({ port, host: "127.0.0.1", path: "/trpc", headers: { host: `127.0.0.1:${port}`, ...upgrade, ...headers } });
    asking.on("upgrade", (response, socket) => {
      socket.destroy();
      answer({ status: 101, body: "", headers: response.headers });
    });
    asking.on("response", (response) => {
      let body = "";
      response.on("data", (data) => (body += String(data)));
      response.on("end", () => answer({ status: response.statusCode ?? 0, body, headers: response.headers }));
    });
    asking.on("error", fail);
    asking.end();
  });
}

/** Resolves with the code that closes a socket. */
const closed = (socket: WebSocket): Promise<number> =>
  new Promise((done) => socket.on("close", (code) => done(code)).on("error", () => undefined));

test("a program needs the token, and the daemon refuses foreign host names and pages", async () => {
  await using daemon = await TestDaemon.start();
  const { port, token } = daemon.discovery;
  const authorization = `Bearer ${token}`;
  const own = `http://127.0.0.1:${port}`;
  const statuses = await Promise.all(
    [
      { authorization },
      { authorization, host: `localhost:${port}` },
      {},
      { authorization: `Bearer ${token.slice(1)}x` },
      { authorization, host: "evil.example" },
      { authorization, host: `127.0.0.1:${port + 1}` },
      { authorization, origin: "https://evil.example" },
      { authorization, origin: "null" },
      { authorization, origin: `http://localhost:${port + 1}` },
      { origin: own },
    ].map((headers) => knock(port, headers)),
  );
  expect(statuses.map(({ status }) => status)).toEqual([101, 101, 401, 401, 421, 421, 403, 403, 403, 101]);
});

test("liveness names the daemon, and contains no secret", async () => {
  await using daemon = await TestDaemon.start();
  const { port, token, bootId } = daemon.discovery;
  const response = await fetch(`http://127.0.0.1:${port}/healthz`);
  const text = await response.text();
  expect(JSON.parse(text)).toMatchObject({ ok: true, bootId });
  expect(text).not.toContain(token);
  expect((await fetch(`http://127.0.0.1:${port}/healthz`, { headers: { origin: "https://evil.example" } })).status).toBe(403);
  expect((await fetch(`http://127.0.0.1:${port}/etc/passwd`)).status).toBe(404);
});

test("a page of Baton that never authenticates is closed within seconds, and can call nothing before", async () => {
  await using daemon = await TestDaemon.start();
  const { port } = daemon.discovery;
  const silent = new WebSocket(`ws://127.0.0.1:${port}/trpc?connectionParams=1`, { origin: `http://127.0.0.1:${port}` });
  const calling = new WebSocket(`ws://127.0.0.1:${port}/trpc`, { origin: `http://127.0.0.1:${port}` });
  const codes = [closed(silent), closed(calling)];
  const answers: string[] = [];
  calling.on("message", (data) => answers.push(String(data)));
  calling.on("open", () => calling.send(JSON.stringify({ id: 1, method: "query", params: { path: "daemon.status" } })));
  expect(await Promise.all(codes)).toEqual([4408, 4401]);
  expect(answers.join(" ")).not.toContain(daemon.discovery.bootId);
});

test("a first frame with the right token admits Baton's page, and a wrong token does not", async () => {
  await using daemon = await TestDaemon.start();
  const { port, token, bootId } = daemon.discovery;
  const ask = (shown: string) =>
    new Promise<unknown>((answer) => {
      const socket = new WebSocket(`ws://127.0.0.1:${port}/trpc?connectionParams=1`, { origin: `http://127.0.0.1:${port}` });
      socket.on("open", () => {
        socket.send(JSON.stringify({ method: "connectionParams", data: { token: shown } }));
        socket.send(JSON.stringify({ id: 1, method: "query", params: { path: "daemon.status" } }));
      });
      socket.on("message", (data) => {
        socket.close();
        answer(JSON.parse(String(data)));
      });
      socket.on("close", (code) => answer({ code }));
    });
  expect(await ask(token)).toMatchObject({ result: { data: { bootId } } });
  expect(await ask("wrong")).not.toHaveProperty("result");
});

test("a first frame of 60 MB is cut off without being read completely", async () => {
  await using daemon = await TestDaemon.start();
  const { port, token } = daemon.discovery;
  const sockets = [
    new WebSocket(`ws://127.0.0.1:${port}/trpc?connectionParams=1`, { origin: `http://127.0.0.1:${port}` }),
    new WebSocket(`ws://127.0.0.1:${port}/trpc`, { headers: { authorization: `Bearer ${token}` } }),
  ];
  const codes = sockets.map((socket) => {
    socket.on("open", () => socket.send("x".repeat(60 * 1024 * 1024)));
    return closed(socket);
  });
  const known = (await Promise.all(codes)).every((code) => code === 1009 || code === 1006); // 1006: closed while it was still sending
  expect(known).toBe(true);
  const { memory } = await daemon.connect().api.daemon.status.query();
  expect(memory / 1024 / 1024).toBeLessThan(200);
});

test("no more than 32 pages wait to authenticate", async () => {
  await using daemon = await TestDaemon.start();
  const { port } = daemon.discovery;
  const sockets = Array.from(
    { length: 32 },
    () => new WebSocket(`ws://127.0.0.1:${port}/trpc?connectionParams=1`, { origin: `http://127.0.0.1:${port}` }),
  );
  await Promise.all(sockets.map((socket) => new Promise((open) => socket.on("open", open))));
  expect((await knock(port, { origin: `http://127.0.0.1:${port}` })).status).toBe(503);
  for (const socket of sockets) socket.terminate();
});

test("bytes that are not HTTP do no harm", async () => {
  await using daemon = await TestDaemon.start();
  const { port } = daemon.discovery;
  await new Promise<void>((done) => {
    const socket = connect(port, "127.0.0.1", () => socket.end("\0\u0001 nonsense\r\n\r\n"));
    socket.on("close", () => done()).on("error", () => undefined);
    socket.resume();
  });
  expect((await daemon.connect().api.daemon.status.query()).pid).toBe(daemon.pid);
});
