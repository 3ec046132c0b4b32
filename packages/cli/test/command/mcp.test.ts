import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { expect, test } from "vitest";
import { openHome, openSettledHome, type Home } from "../support/home.ts";
import { KEY } from "../support/terminal.ts";

const main = fileURLToPath(new URL("../../dist/main.js", import.meta.url));
const fixture = fileURLToPath(new URL("../../../daemon/test/support/mcp/mcp-server.ts", import.meta.url));

const initializing = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } };

const withServer = (home: Home) =>
  writeFileSync(
    home.file("config.jsonc"),
    JSON.stringify({
      permissions: [
        { action: "mcp", resource: "*", effect: "allow" },
        { action: "configure", resource: "*", effect: "allow" },
      ],
    }),
  );

test("servers can be added, tested, listed and removed, and problems of a server are reported", async () => {
  await using home = openHome();
  expect(await home.run(["mcp", "list"])).toMatchObject({ code: 0, out: expect.stringContaining("baton mcp add") as string });
  expect(await home.run(["mcp", "add", "good", "--env", "OWN=1", "--", process.execPath, fixture, "good"])).toMatchObject({ code: 0 });
  expect((await home.run(["mcp", "add", "good", "--url", "http://127.0.0.1:1/mcp"])).code).not.toBe(0);
  expect((await home.run(["mcp", "add", "bad", "--", process.execPath, fixture, "dead"])).code).toBe(0);
  expect(await home.run(["mcp", "test", "good"])).toMatchObject({ code: 0 });
  const bad = await home.run(["mcp", "test", "bad"]);
  expect(bad).toMatchObject({ code: 1, err: expect.stringContaining("exit code 3") as string });
  const listed = JSON.parse((await home.run(["mcp", "list", "--json"])).out) as { name: string; status: string }[];
  expect(listed.map(({ name, status }) => `${name} ${status}`)).toEqual(["bad failed", "good ready"]);
  expect((await home.run(["mcp", "logs", "bad"])).out).toContain("exit code 3");
  expect((await home.run(["toolsets", "build", "talk", "good__say", "good__nothing"])).err).toContain("good__nothing");
  expect((await home.run(["toolsets", "build", "talk", "good__say"])).code).toBe(0);
  expect((await home.run(["toolsets"])).out).toContain("talk  1 tools");
  expect((await home.run(["toolsets", "equip", "tlak", "--profile", "work"])).err).toContain("There is no toolset tlak.");
  const elsewhere = await home.run(["toolsets", "equip", "talk", "--profile", "work"]);
  expect(elsewhere.err).toContain("There is no toolset talk in the profile work. It was built in the profile default.");
  const [, typed = ""] = /baton (toolsets build .*)$/m.exec(elsewhere.err) ?? [];
  expect((await home.run(typed.split(" "))).code).toBe(0);
  expect((await home.run(["toolsets", "equip", "talk", "--profile", "work"])).out).toContain("now have the tools of talk");
  expect((await home.run(["mcp", "remove", "good"])).code).toBe(0);
  expect((await home.run(["mcp", "remove", "good"])).err).toContain("no MCP server good");
});

test("prompts and resources of a server are suggested while the user types, and the server fills in its prompt", async () => {
  await using home = await openSettledHome();
  const everything = fileURLToPath(new URL("../../../daemon/node_modules/.bin/mcp-server-everything", import.meta.url));
  await home.run(["mcp", "add", "all", "--", everything, "stdio"]);
  expect(await home.run(["mcp", "test", "all"])).toMatchObject({ code: 0 });
  const terminal = home.terminal(["--model", home.script({ text: "It rains." })]);
  await terminal.until("Say what you want done.");
  terminal.press("look at @architecture");
  await terminal.until("› @all:demo://resource/static/document/architecture.md");
  terminal.press(KEY.tab);
  await terminal.until("look at @all:demo://resource/static/document/architecture.md");
  terminal.press("\u0015/mcp:all:args");
  await terminal.until("› /mcp:all:args-prompt  <city> [state]");
  terminal.press(`${KEY.tab}Bergen${KEY.enter}`);
  await terminal.until("sent as “What's weather in Bergen?”");
  await terminal.until("It rains.");
});

test.each(["auto", "legacy"] as const)(
  "`baton mcp serve` is a server on standard input and output, and starts the daemon (%s)",
  async (mode) => {
    await using home = openHome();
    withServer(home);
    await home.run(["mcp", "add", "good", "--", process.execPath, fixture, "good"]);
    let notices = 0;
    const client = new Client(
      { name: "test", version: "1" },
      { versionNegotiation: { mode }, listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged: () => void notices++ } } },
    );
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [main, "mcp", "serve", "--profile", "dev"],
      cwd: home.workspace,
      env: home.env,
    });
    await client.connect(transport);
    expect(client.getProtocolEra()).toBe(mode === "auto" ? "modern" : "legacy");
    expect((await client.listTools()).tools).toHaveLength(10);
    const built = await client.callTool({
      name: "build-toolset",
      arguments: { name: "talk", tools: [{ namespacedName: "good__say" }], autoEquip: true },
    });
    expect(built.structuredContent).toMatchObject({ ok: true, equipped: true });
    await expect.poll(() => notices).toBe(1);
    const result = await client.callTool({ name: "good__say", arguments: { text: "through the pipe" } });
    expect(result.content).toEqual([{ type: "text", text: "through the pipe" }]);
    await client.close();
  },
);

test.each([
  ["claude", ".mcp.json", "dual"],
  ["opencode", "opencode.json", "dual"],
  ["gemini", ".gemini/settings.json", "dual"],
  ["cursor", ".cursor/mcp.json", "flat"],
  ["vscode", ".vscode/mcp.json", "flat"],
])("the setup for %s is written into %s, and listing the tools works there", async (host, file, policy) => {
  await using home = openHome();
  const output = JSON.parse((await home.run(["mcp", "install", host, "--http", "--write", "--json"])).out) as Record<string, unknown>;
  expect(output).toMatchObject({ policy, profile: host, written: true });
  const written = readFileSync(path.join(home.workspace, file), "utf8");
  expect(written).toContain(`/mcp/${host}`);
  expect(written).toMatch(/Bearer baton_[\w-]{32}/);
});

test.each([
  ["claude", ".mcp.json", "baton-good"],
  ["codex", ".codex/config.toml", "baton-good"],
])("%s gets one server as configured in %s, beside the selected tools", async (host, file, entry) => {
  await using home = openHome();
  await home.run(["mcp", "add", "good", "--", process.execPath, fixture, "good"]);
  expect((await home.run(["mcp", "install", host, "--write"])).code).toBe(0);
  const installed = JSON.parse((await home.run(["mcp", "install", host, "--server", "good", "--write", "--json"])).out) as unknown;
  expect(installed).toMatchObject({ policy: "proxy", profile: `${host}-good`, written: true });
  const folder = file.startsWith(".codex") ? (home.env["HOME"] ?? "") : home.workspace;
  const written = readFileSync(path.join(folder, file), "utf8");
  expect(written).toContain(entry);
  expect(written).toContain(`${host}-good`);
  expect(await home.run(["mcp", "install", host, "--server", "nothing"])).toMatchObject({
    code: 2,
    err: expect.stringContaining("no MCP server nothing") as unknown,
  });
});

test("showing the setup of a host changes no token and no folder, and Baton reports that a new token replaces the previous one", async () => {
  await using home = openHome();
  type Said = { entry: { url: string; headers: { Authorization: string } }; voided: boolean };
  const install = async (...more: string[]) => home.run(["mcp", "install", "claude", ...more]);
  const { entry, voided } = JSON.parse((await install("--http", "--json")).out) as Said;
  expect(voided).toBe(false);
  const knock = async () => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params: initializing });
    const headers = { ...entry.headers, "content-type": "application/json", accept: "application/json, text/event-stream" };
    return (await fetch(entry.url, { method: "POST", headers, body })).status;
  };
  const other = path.join(home.workspace, "other");
  mkdirSync(other);
  expect((await install()).out).toContain("Add this to");
  expect((await install("--write", "--cwd", other)).code).toBe(0);
  expect(await install("--http", "--cwd", other)).toMatchObject({ code: 2, err: expect.stringContaining("--move") as string });
  writeFileSync(path.join(home.workspace, ".mcp.json"), "[1]");
  expect((await install("--http", "--write")).code).toBe(1);
  expect(await knock()).toBe(200);
  expect((await install("--http", "--move", "--cwd", other)).out).toContain("no longer works");
  expect(await knock()).toBe(401);
});

test("the content of a host's file stays as it is, including comments and tabs, and a file that Baton cannot extend is not changed", async () => {
  await using home = openHome();
  const file = path.join(home.workspace, "opencode.json");
  const before = `{\n\t// mine\n\t"model": "a/b",\n\t"mcp": {\n\t\t"other": { "type": "local", "command": ["x"] }, // and this\n\t},\n}\n`;
  writeFileSync(file, before);
  expect((await home.run(["mcp", "install", "opencode", "--write"])).code).toBe(0);
  const lines = readFileSync(file, "utf8").split("\n");
  for (const line of before.split("\n").slice(0, 5)) expect(lines).toContain(line);
  expect(lines).toContain('\t\t"baton": {');
  writeFileSync(file, `{"mcp": [1]}`);
  expect(await home.run(["mcp", "install", "opencode", "--write"])).toMatchObject({
    code: 1,
    err: expect.stringContaining("is not JSON with an object at mcp.baton") as unknown,
  });
  expect(readFileSync(file, "utf8")).toBe(`{"mcp": [1]}`);
});

test("codex gets its setup once, in its own file, and an unknown host is refused", async () => {
  await using home = openHome();
  expect((await home.run(["mcp", "install", "codex", "--write"])).code).toBe(0);
  expect(readFileSync(path.join(home.env["HOME"] ?? "", ".codex", "config.toml"), "utf8")).toContain(
    '"mcp", "serve", "--profile", "codex"',
  );
  expect(readFileSync(path.join(home.env["HOME"] ?? "", ".codex", "config.toml"), "utf8")).toContain(
    `env = { BATON_HOME = ${JSON.stringify(home.env["BATON_HOME"])} }`,
  );
  expect((await home.run(["mcp", "install", "codex", "--write"])).err).toContain("already");
  expect((await home.run(["mcp", "install", "emacs"])).err).toContain("claude, opencode");
  expect((await home.run(["mcp", "import", path.join(home.env["HOME"] ?? "", ".codex", "config.toml")])).out).toContain(
    "baton is Baton itself",
  );
  const tables = path.join(home.workspace, "codex.toml");
  writeFileSync(tables, '[mcp_servers.far]\nurl = "https://far.example/mcp"\nbearer_token_env_var = "FAR"\ntool_timeout_sec = 5\n');
  const { servers } = JSON.parse((await home.run(["mcp", "import", tables, "--json"])).out) as { servers: unknown };
  expect(servers).toEqual({ far: { url: "https://far.example/mcp", headers: { Authorization: "Bearer ${FAR}" }, timeoutMs: 5_000 } });
  writeFileSync(tables, "[mcp_servers.far\n");
  expect((await home.run(["mcp", "import", tables])).out).toContain("The file is not valid TOML");
  writeFileSync(tables, "nothing");
  expect((await home.run(["mcp", "import", tables])).out).toContain("No servers were found");
  expect((await home.run(["mcp", "import", "nowhere"])).err).toContain("nowhere cannot be read");
  expect((await home.run(["mcp", "add", "odd", "--url", "odd"])).err).toContain("begin with https://");
});

test("removing the toolset of a mode that has none changes nothing, and is not a config error", async () => {
  await using home = openHome();
  expect(await home.run(["toolsets", "unequip", "--mode", "plan"])).toMatchObject({ code: 0 });
  const file = home.file("config.jsonc");
  writeFileSync(file, '{"modes":{"plan":{}}}');
  expect(await home.run(["toolsets", "unequip", "--mode", "plan"])).toMatchObject({ code: 0 });
  expect(readFileSync(file, "utf8")).toBe('{"modes":{"plan":{}}}');
});
