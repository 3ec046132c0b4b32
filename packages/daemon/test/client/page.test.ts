import { expect, test } from "vitest";
import { WebSocket } from "ws";
import { TestDaemon } from "../support/daemon.ts";

type LoggedIn = { status: number; token?: string };

async function login(daemon: TestDaemon, code: string, origin = `http://127.0.0.1:${daemon.discovery.port}`): Promise<LoggedIn> {
  const response = await fetch(`http://127.0.0.1:${daemon.discovery.port}/login`, {
    method: "POST",
    headers: { origin },
    body: JSON.stringify({ code }),
  });
  return { status: response.status, ...((await response.json()) as { token?: string }) };
}

const codeOf = async (daemon: TestDaemon): Promise<string> =>
  new URL((await daemon.connect().api.daemon.openPage.mutate()).url).hash.slice(1);

/** The daemon's answer to a page with this token: the daemon's status, or the code that closes the socket. */
function statusFor(daemon: TestDaemon, token: string): Promise<unknown> {
  const { port } = daemon.discovery;
  return new Promise((answer) => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/trpc?connectionParams=1`, { origin: `http://127.0.0.1:${port}` });
    socket.on("open", () => {
      socket.send(JSON.stringify({ method: "connectionParams", data: { token, client: "page" } }));
      socket.send(JSON.stringify({ id: 1, method: "query", params: { path: "daemon.status" } }));
    });
    socket.on("message", (data) => {
      const message = JSON.parse(String(data)) as { result?: { data: { bootId: string } } };
      if (message.result) answer(message.result.data.bootId);
    });
    socket.on("close", (code) => answer(code));
  });
}

test("a code opens the page once, and its token survives a restart and is not the daemon's own", async () => {
  await using daemon = await TestDaemon.start();
  const code = await codeOf(daemon);
  const { status, token = "" } = await login(daemon, code);
  expect([status, token === daemon.discovery.token]).toEqual([200, false]);
  expect(await login(daemon, code)).toMatchObject({ status: 401 });
  expect(await statusFor(daemon, token)).toBe(daemon.discovery.bootId);
  await daemon.kill();
  await daemon.start();
  expect(await statusFor(daemon, token)).toBe(daemon.discovery.bootId);
  expect(await statusFor(daemon, `${token.slice(1)}x`)).toBe(4401);
});

test("only Baton's own page can log in", async () => {
  await using daemon = await TestDaemon.start();
  const { port } = daemon.discovery;
  expect(await login(daemon, await codeOf(daemon), "https://evil.example")).toMatchObject({ status: 403 });
  const withoutOrigin = await fetch(`http://127.0.0.1:${port}/login`, {
    method: "POST",
    body: JSON.stringify({ code: await codeOf(daemon) }),
  });
  expect(withoutOrigin.status).toBe(403);
  expect(await login(daemon, "guessed")).toMatchObject({ status: 401 });
  expect(await login(daemon, "x".repeat(100_000))).toMatchObject({ status: 401 });
});

test("the page has a strict policy, and nothing else is served", async () => {
  await using daemon = await TestDaemon.start();
  const get = (path: string) => fetch(`http://127.0.0.1:${daemon.discovery.port}${path}`);
  const page = await get("/");
  expect(page.headers.get("content-security-policy")).toMatch(/default-src 'none'; script-src 'self';.*frame-ancestors 'none'/);
  expect(page.headers.get("content-security-policy")).not.toContain("unsafe-inline");
  const frame = (await get("/?diagrams")).headers.get("content-security-policy"); // it writes styles, and sends nothing
  expect(frame).toMatch(/default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline';.*frame-ancestors 'self'/);
  expect(frame).not.toContain("connect-src");
  expect(page.headers.get("set-cookie")).toBeNull();
  expect((await get("/?theme=dark&contrast=more")).status).toBe(200); // the page itself stores its appearance
  const asked = await Promise.all(
    ["/assets/../index.html", "/assets/%2e%2e/index.html", "/package.json", "/assets/", "//etc/passwd", "/daemon.json"].map(get),
  );
  expect(asked.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 404]);
});
