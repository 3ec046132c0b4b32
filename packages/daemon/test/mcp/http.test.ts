import { statSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { TestDaemon } from "../support/daemon.ts";
import { HttpServer } from "../support/mcp/mcp-http-server.ts";
import { script } from "../support/script.ts";

const allowed = [{ action: "mcp", resource: "*", effect: "allow" }];
const call = (tool: string, input: unknown = {}) => ({ calls: [{ tool, input }] });

test("a server over HTTP uses the newer protocol, and an answer that is too long fails only its own call", async () => {
  await using server = await HttpServer.start();
  await using daemon = await TestDaemon.start({ config: { permissions: allowed, mcpServers: { far: { url: server.url } } } });
  const session = await daemon.session({
    model: script(daemon, [
      call("far__echo", { text: "over HTTP" }),
      call("far__huge"),
      call("far__echo", { text: "still there" }),
      { text: "Done." },
    ]),
  });
  await session.runTurn("go");
  const texts = session.finished.map(({ result }) => `${result.outcome}: ${result.text}`);
  expect(texts[0]).toContain("over HTTP");
  expect(texts[1]).toMatch(/^failed: .*8 MB/s);
  expect(texts[2]).toContain("still there");
  const [row] = await daemon.connect().api.mcp.list.query({ cwd: daemon.workspace });
  expect(row).toMatchObject({ status: "ready", era: "modern" });
});

test("a server that needs a login reports that, the redirect is checked, and only its owner can read the token", async () => {
  await using server = await HttpServer.start({ login: true });
  await using daemon = await TestDaemon.start({ config: { permissions: allowed, mcpServers: { far: { url: server.url } } } });
  const { api } = daemon.connect();
  const cwd = daemon.workspace;
  const back = (query: string) => fetch(`http://127.0.0.1:${daemon.discovery.port}/oauth/callback?${query}`);
  const first = await api.mcp.test.mutate({ cwd, name: "far" });
  expect(first).toMatchObject({ status: "needs_login" });
  const { url } = await api.mcp.login.mutate({ cwd, name: "far" });
  expect(url).toContain("code_challenge=");
  expect((await back("code=stolen&state=made-up")).status).toBe(400);
  const sent = await fetch(url ?? "", { redirect: "manual" });
  expect((await fetch(sent.headers.get("location") ?? "")).status).toBe(200);
  expect((await fetch(sent.headers.get("location") ?? "")).status).toBe(400);
  expect(await api.mcp.test.mutate({ cwd, name: "far" })).toMatchObject({ status: "ready", problem: null });
  expect(server.logins).toEqual(["baton-test"]);
  expect(statSync(path.join(daemon.home, "mcp-credentials.json")).mode & 0o777).toBe(0o600);

  await daemon.kill("SIGTERM");
  await daemon.start();
  expect(await daemon.connect().api.mcp.test.mutate({ cwd, name: "far" })).toMatchObject({ status: "ready" });
});

test("a login is sent only to its own server: not to another address, nor to a project's server of the same name", async () => {
  await using mine = await HttpServer.start({ login: true });
  await using theirs = await HttpServer.start({ login: true });
  await using daemon = await TestDaemon.start({ config: { mcpServers: { far: { url: mine.url } } } });
  const { api } = daemon.connect();
  const cwd = daemon.workspace;
  const logIn = async () => {
    const sent = await fetch((await api.mcp.login.mutate({ cwd, name: "far" })).url ?? "", { redirect: "manual" });
    expect((await fetch(sent.headers.get("location") ?? "")).status).toBe(200);
  };
  const status = async () => (await api.mcp.test.mutate({ cwd, name: "far" })).status;
  const question = async () => (await api.mcp.questions.query({ cwd })).find(({ what }) => what === "launch");
  const approve = async () => api.mcp.approve.mutate({ cwd, name: "far", hash: (await question())?.hash ?? "", approved: true });
  await logIn();
  expect(await status()).toBe("ready");

  await api.mcp.add.mutate({ name: "far", server: { url: theirs.url }, replace: true });
  expect(await status()).toBe("needs_login");
  await api.mcp.remove.mutate({ name: "far" });
  const project = (url: string, headers = {}) => daemon.write(".mcp.json", JSON.stringify({ mcpServers: { far: { url, headers } } }));
  await api.workspace.trust.mutate({ commandId: crypto.randomUUID(), cwd, trusted: true });
  for (const url of [theirs.url, mine.url]) {
    project(url);
    await expect(api.mcp.login.mutate({ cwd, name: "far" })).rejects.toThrow(/not approved/);
    expect(JSON.stringify((await question())?.view)).not.toContain("login");
    await approve();
    expect(await status()).toBe("needs_login");
  }
  expect([...theirs.shown]).toEqual([]);

  await logIn();
  project(mine.url, { "X-Team": "${TEAM}" });
  expect(JSON.stringify((await question())?.view)).toContain("Your login for this address is sent to it.");
  await approve();
  expect(await status()).not.toBe("needs_login");
});
