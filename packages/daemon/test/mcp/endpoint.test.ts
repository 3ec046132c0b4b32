import { request } from "node:http";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { TestDaemon } from "../support/daemon.ts";
import { Agent } from "../support/mcp/mcp-agent.ts";

const fixture = fileURLToPath(new URL("../support/mcp/mcp-server.ts", import.meta.url));
const good = { command: process.execPath, args: [fixture, "good"] };
const may = (action: string, resource = "*") => ({ action, resource, effect: "allow" });

/** For events at an unknown time, even on a busy machine. */
const PATIENT = { timeout: 20_000 };

const open = (permissions: object[] = [may("mcp"), may("configure")]) =>
  TestDaemon.start({ config: { mcpServers: { good }, permissions } });

test.each(["auto", "legacy"] as const)("an agent chooses its tools, uses them, and is notified of each change (%s)", async (era) => {
  await using daemon = await open();
  await using agent = await Agent.enter(daemon, { era });
  expect(agent.client.getProtocolEra()).toBe(era === "auto" ? "modern" : "legacy");
  expect(await agent.tools()).not.toContain("enter-configuration-mode");
  expect(await agent.call("good__say", { text: "x" })).toMatchObject({ ok: false, code: "not_in_toolset", isError: true });
  expect(await agent.call("build-toolset", { name: "talk", tools: [{ namespacedName: "good__say" }] })).toMatchObject({
    ok: true,
    equipped: false,
  });
  expect(await agent.call("equip-toolset", { name: "talk" })).toMatchObject({
    ok: true,
    mode: "normal",
    availableTools: ["good__say", "enter-configuration-mode"],
  });
  await expect.poll(() => agent.notices, PATIENT).toBe(1);
  expect(await agent.tools()).toEqual(["good__say", "enter-configuration-mode"]);
  expect(await agent.call("good__say", { text: "through the endpoint" })).toMatchObject({ text: "through the endpoint", isError: false });
  expect(await agent.call("enter-configuration-mode")).toMatchObject({ ok: true, changed: true, mode: "configuration" });
  expect(await agent.call("enter-configuration-mode")).toMatchObject({ ok: true, changed: false });
  await expect.poll(() => agent.notices, PATIENT).toBe(2);
  for (let i = 0; i < 3; i++) expect(await agent.call("get-active-toolset")).toMatchObject({ ok: true, mode: "configuration" });
  expect(await agent.call("good__say", { text: "x" })).toMatchObject({
    ok: false,
    code: "unavailable",
    suggestions: ["exit-configuration-mode"],
  });
  expect(await agent.call("exit-configuration-mode")).toMatchObject({
    mode: "normal",
    availableTools: ["good__say", "enter-configuration-mode"],
  });
  await expect.poll(() => agent.notices, PATIENT).toBe(3);
  expect(await agent.call("delete-toolset", { name: "talk", confirm: false })).toMatchObject({ ok: false, isError: true });
});

test("the equipped toolset belongs to the profile, so another client sees it, and so does the daemon after a restart", async () => {
  await using daemon = await open();
  const { url, token } = await daemon.connect().api.mcp.openEndpoint.mutate({ cwd: daemon.workspace, profile: "agent", policy: "flat" });
  {
    await using one = await Agent.at(url, token, "auto");
    await using other = await Agent.at(url, token, "legacy");
    await one.call("build-toolset", { name: "talk", tools: [{ namespacedName: "good__say" }], autoEquip: true });
    await expect.poll(() => other.notices, PATIENT).toBe(1);
    expect(await other.tools()).toHaveLength(11);
  }
  await daemon.kill();
  await daemon.start();
  await using again = await Agent.at(url, token, "auto");
  expect(await again.call("get-active-toolset")).toMatchObject({ equipped: true, mode: "normal", toolset: { name: "talk", available: 1 } });
});

test("the user's rules judge the calls, which ask in the inbox, and a refusal names its reason", async () => {
  await using daemon = await open([may("configure"), { action: "mcp", resource: "good__environment", effect: "deny" }]);
  await using agent = await Agent.enter(daemon, { policy: "flat" });
  const { api } = daemon.connect();
  await agent.call("build-toolset", {
    name: "all",
    tools: ["say", "environment"].map((tool) => ({ namespacedName: `good__${tool}` })),
    autoEquip: true,
  });
  expect(await agent.call("good__environment")).toMatchObject({ isError: true });
  const reminders: string[] = [];
  const calling = agent.client.callTool(
    { name: "good__say", arguments: { text: "allowed" } },
    { onprogress: ({ message = "" }) => reminders.push(message) },
  );
  await expect.poll(() => reminders, PATIENT).toEqual(["Waiting for the user to answer in Baton's inbox."]);
  await expect.poll(async () => (await api.request.list.query()).length, PATIENT).toBe(1);
  const [request] = await api.request.list.query();
  expect(request).toMatchObject({ tool: "good__say", mode: "endpoint", title: "Endpoint agent" });
  await api.request.answer.mutate({ commandId: crypto.randomUUID(), requestId: request?.id ?? "", answer: { choice: "once" } });
  expect(await calling).toMatchObject({ content: [{ type: "text", text: "allowed" }] });
  const refused = agent.call("delete-toolset", { name: "all", confirm: true });
  await expect.poll(async () => (await api.request.list.query()).length, PATIENT).toBe(1);
  const [deletion] = await api.request.list.query();
  await api.request.answer.mutate({ commandId: crypto.randomUUID(), requestId: deletion?.id ?? "", answer: { choice: "deny" } });
  expect(await refused).toMatchObject({ ok: false, code: "denied", isError: true });
  expect(await api.session.list.query({})).toEqual([]);
});

test("twenty agents at once make changes in one order, each with its own revision and complete, and confirmed changes survive a kill", async () => {
  await using daemon = await open();
  const { url, token } = await daemon.connect().api.mcp.openEndpoint.mutate({ cwd: daemon.workspace, profile: "agent", policy: "flat" });
  const agents = await Promise.all(Array.from({ length: 20 }, (_, i) => Agent.at(url, token, i % 2 === 0 ? "auto" : "legacy")));
  const answers = await Promise.all(
    agents.flatMap((agent, i) => [
      agent.call("build-toolset", { name: `set-${i % 7}`, tools: [{ namespacedName: "good__say" }], autoEquip: i % 3 === 0 }),
      agent.call("equip-toolset", { name: `set-${i % 5}`, expectedRevision: 1 }),
    ]),
  );
  const built = answers.filter(({ ok }) => ok === true).map(({ revision }) => revision);
  expect(new Set(built).size).toBe(built.length);
  expect(built).toHaveLength(7);
  const codes = answers.filter(({ ok }) => ok === false).map(({ code }) => code);
  expect(new Set(codes)).toEqual(new Set(["already_exists", "conflict"]));
  const saved = await agents[0]?.call("list-saved-toolsets");
  expect(saved?.["toolsets"]).toHaveLength(7);
  expect(saved?.["revision"]).toBe(Math.max(...built.map(Number)));

  const answered: Record<string, unknown>[] = [];
  const more = agents.slice(0, 6).map(async (agent, i) => {
    for (let n = 0; n < 20; n++)
      answered.push(
        await agent.call("build-toolset", { name: `more-${i}-${n}`, tools: [{ namespacedName: "good__say" }], autoEquip: true }),
      );
  });
  const cutOff = Promise.allSettled(more);
  await expect.poll(() => answered.length, PATIENT).toBeGreaterThan(6);
  await daemon.kill();
  await Promise.race([cutOff, Promise.allSettled(agents.map((agent) => agent[Symbol.asyncDispose]()))]);
  const confirmed = answered.filter(({ ok }) => ok === true);
  await daemon.start();
  await using after = await Agent.at(url.replace(/:\d+/, `:${daemon.discovery.port}`), token, "auto");
  const savedNames = ((await after.call("list-saved-toolsets"))["toolsets"] as { name: string; active: boolean }[]).map(({ name }) => name);
  expect(savedNames).toEqual(expect.arrayContaining(confirmed.map(({ toolset }) => (toolset as { name: string }).name)));
  const { revision, toolset, equipped } = await after.call("get-active-toolset");
  expect(Number(revision)).toBeGreaterThanOrEqual(Math.max(...confirmed.map((answer) => Number(answer["revision"]))));
  expect(equipped).toBe(true);
  expect(savedNames).toContain((toolset as { name: string }).name);
});

test("under search the agent finds, describes and calls tools by name", async () => {
  await using daemon = await open();
  await using agent = await Agent.enter(daemon, { policy: "search" });
  await agent.call("build-toolset", { name: "talk", tools: [{ namespacedName: "good__say" }], autoEquip: true });
  expect((await agent.tools()).slice(0, 3)).toEqual(["find-tools", "describe-tool", "call-tool"]);
  expect(await agent.call("find-tools", { query: "SAY" })).toMatchObject({ ok: true, tools: [{ name: "good__say" }] });
  expect(await agent.call("describe-tool", { name: "good__say" })).toMatchObject({ ok: true, inputSchema: { type: "object" } });
  expect(await agent.call("call-tool", { name: "good__say", arguments: { text: "found" } })).toMatchObject({ text: "found" });
  expect(await agent.call("call-tool", { name: "good__die" })).toMatchObject({ ok: false, code: "not_in_toolset" });
  expect(await agent.call("describe-tool", { name: "nothing" })).toMatchObject({ ok: false, code: "not_found" });
});

/** A request that no real client would make. */
function knock(port: number, headers: Record<string, string>, body = "{}"): Promise<number> {
  return new Promise((answered, failed) => {
    const asked = request(
      { port, host: "127.0.0.1", method: "POST", path: "/mcp/agent", headers: { "content-type": "application/json", ...headers } },
      (response) => {
        response.resume();
        answered(response.statusCode ?? 0);
      },
    );
    asked.on("error", failed);
    asked.end(body);
  });
}

test("other hosts, other origins and clients without the profile's own token are refused", async () => {
  await using daemon = await open();
  const { token } = await daemon.connect().api.mcp.openEndpoint.mutate({ cwd: daemon.workspace, profile: "agent", policy: "flat" });
  const { port, token: ofDaemon } = daemon.discovery;
  const authorization = `Bearer ${token}`;
  expect(await knock(port, { authorization, host: "evil.example" })).toBe(403);
  expect(await knock(port, { authorization, origin: "http://evil.example" })).toBe(403);
  expect(await knock(port, {})).toBe(401);
  expect(await knock(port, { authorization: `Bearer ${ofDaemon}` })).toBe(401);
  expect(await knock(port, { authorization }, "no json")).toBe(400);
  expect(await knock(port, { authorization }, JSON.stringify("x".repeat(5_000_000)))).toBe(413);
  await daemon.connect().api.mcp.openEndpoint.mutate({ cwd: daemon.workspace, profile: "agent", policy: "flat" });
  expect(await knock(port, { authorization })).toBe(401);
});

test("a client that disconnects cancels its open call, and a restart leaves none behind", async () => {
  await using daemon = await open([may("configure")]);
  const { api } = daemon.connect();
  const agent = await Agent.enter(daemon, { policy: "flat" });
  await agent.call("build-toolset", { name: "talk", tools: [{ namespacedName: "good__say" }], autoEquip: true });
  const gone = new AbortController();
  const calling = agent.client.callTool({ name: "good__say", arguments: { text: "x" } }, { signal: gone.signal }).catch(() => "gone");
  await expect.poll(async () => (await api.request.list.query()).length, PATIENT).toBe(1);
  gone.abort();
  expect(await calling).toBe("gone");
  await expect.poll(async () => (await api.request.list.query()).length, PATIENT).toBe(0);
  agent.client.callTool({ name: "good__say", arguments: { text: "x" } }).catch(() => undefined);
  await expect.poll(async () => (await api.request.list.query()).length, PATIENT).toBe(1);
  await daemon.kill();
  await daemon.start();
  const again = daemon.connect().api;
  await expect.poll(async () => (await again.request.list.query()).length, PATIENT).toBe(0);
  await agent.client.close().catch(() => undefined);
});
