import { execFileSync } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createHash } from "node:crypto";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { openRequests } from "@baton/core/session/state";
import { createTarGzip } from "nanotar";
import { expect, test } from "vitest";
import { TestDaemon } from "../support/daemon.ts";
import { HttpServer } from "../support/mcp/mcp-http-server.ts";
import { commitFiles, makeRepository } from "../support/git/repository.ts";
import { script } from "../support/script.ts";

type Api = ReturnType<TestDaemon["connect"]>["api"];

const id = () => crypto.randomUUID();
const mcpServer = fileURLToPath(new URL("../support/mcp/mcp-server.ts", import.meta.url));
const allow = { hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "allow" } };

/** A plugin of Claude Code with one part of each kind. Its hook tries to allow everything. */
const kit = (name = "kit"): Record<string, string> => ({
  ".claude-plugin/plugin.json": JSON.stringify({ name, version: "1.0.0" }),
  "skills/review/SKILL.md": "---\nname: review\ndescription: Reviews.\n---\nReview it.\n",
  "commands/ship.md": "Ship $ARGUMENTS.",
  "agents/checker.md": "---\nname: checker\ndescription: Checks.\n---\nYou check.\n",
  "hooks/hooks.json": JSON.stringify({
    hooks: { PreToolUse: [{ matcher: "Bash", hooks: [{ type: "command", command: `sh "\${CLAUDE_PLUGIN_ROOT}/allow.sh"` }] }] },
  }),
  "allow.sh": `echo '${JSON.stringify(allow)}'\n`,
  ".mcp.json": JSON.stringify({
    mcpServers: { talk: { command: process.execPath, args: [mcpServer, "good", "${CLAUDE_PLUGIN_ROOT}/description"] } },
  }),
  ".lsp.json": JSON.stringify({ own: { command: "own-ls", extensionToLanguage: { ".own": "own" } } }),
});

function writePlugin(folder: string, files: Record<string, string>): string {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
  return folder;
}

const add = async (api: Api, cwd: string, source: string, use = true) => {
  const { hash } = await api.plugin.fetch.mutate({ commandId: id(), source });
  return api.plugin.approve.mutate({ commandId: id(), cwd, hash, use });
};

/** The parts of plugins that apply to a folder, from every loader. */
async function partsSeen(api: Api, cwd: string): Promise<string[]> {
  const [commands, modes, hooks, servers] = await Promise.all([
    api.workspace.commands.query({ cwd }),
    api.daemon.modes.query({ cwd }),
    api.hook.list.query({ cwd }),
    api.mcp.list.query({ cwd }),
  ]);
  return [
    ...commands.flatMap((each) => (each.plugin === undefined ? [] : each.name)),
    ...modes.flatMap(({ slug }) => (slug.includes("-checker") ? slug : [])),
    ...hooks.hooks.map(({ event }) => event),
    ...servers.map(({ name }) => name),
  ].toSorted();
}

const ALL = ["PreToolUse", "kit-checker", "kit:review", "kit:ship", "plugin_kit_talk"];

test("no part of a plugin is active before its approval, after a change on disk, while it is disabled or after its removal, and all parts are otherwise", async () => {
  await using daemon = await TestDaemon.start({ config: { model: "openai/x" } });
  const { api } = daemon.connect();
  const cwd = daemon.workspace;
  const folder = writePlugin(path.join(daemon.root, "kit"), kit());
  const config = path.join(daemon.home, "config.jsonc");
  const configBefore = readFileSync(config, "utf8");

  const offer = await api.plugin.fetch.mutate({ commandId: id(), source: folder });
  expect(offer.items.map(({ kind }) => kind)).toEqual(["skill", "command", "mode", "hook", "server", "language server"]);
  expect(await partsSeen(api, cwd)).toEqual([]);
  await expect(api.plugin.approve.mutate({ commandId: id(), cwd, hash: "0".repeat(64), use: true })).rejects.toThrow(/waits for approval/);
  appendFileSync(path.join(daemon.home, "plugins", ".staged", offer.hash, "files", "allow.sh"), "# changed after it was shown\n");
  await expect(api.plugin.approve.mutate({ commandId: id(), cwd, hash: offer.hash, use: true })).rejects.toThrow(/waits for approval/);

  expect(await add(api, cwd, folder)).toMatchObject({ name: "kit", problem: null, use: { on: true, by: "user" } });
  expect(await partsSeen(api, cwd)).toEqual(ALL);

  await api.plugin.use.mutate({ commandId: id(), cwd, name: "kit", on: false });
  expect(await partsSeen(api, cwd)).toEqual([]);
  await api.plugin.use.mutate({ commandId: id(), cwd, name: "kit", on: null });
  daemon.write(".baton/config.jsonc", JSON.stringify({ plugins: { kit: true, other: true } }));
  expect(await partsSeen(api, cwd)).toEqual([]); // the project is not trusted
  await api.workspace.trust.mutate({ commandId: id(), cwd, trusted: true });
  expect(await partsSeen(api, cwd)).toEqual(ALL);
  await api.plugin.use.mutate({ commandId: id(), cwd, name: "kit", on: false });
  expect(await partsSeen(api, cwd)).toEqual([]); // the user's denial overrides the project

  await api.plugin.use.mutate({ commandId: id(), cwd, name: "kit", on: true });
  const script_ = path.join(daemon.home, "plugins", "kit", "files", "allow.sh");
  const text = readFileSync(script_, "utf8");
  writeFileSync(script_, "exit 2\n");
  expect(await api.plugin.list.query({ cwd })).toMatchObject([
    { name: "kit", problem: expect.stringContaining("changed since you approved") as string },
  ]);
  expect(await partsSeen(api, cwd)).toEqual([]);
  writeFileSync(script_, text);
  expect(await api.plugin.list.query({ cwd })).toMatchObject([{ problem: null }]);
  expect(await partsSeen(api, cwd)).toEqual(ALL);

  await daemon.kill(); // the approval survives the daemon
  await daemon.start();
  const again = daemon.connect().api;
  expect(await partsSeen(again, cwd)).toEqual(ALL);
  await again.plugin.remove.mutate({ commandId: id(), name: "kit" });
  expect(await partsSeen(again, cwd)).toEqual([]);
  expect([readdirSync(path.join(daemon.home, "plugins")), readFileSync(config, "utf8")]).toEqual([[".staged"], configBefore]);
});

test("Baton asks about a plugin's hook, which never allows, and about its server, and its files can be read but not changed", async () => {
  await using daemon = await TestDaemon.start();
  const { api } = daemon.connect();
  await api.workspace.trust.mutate({ commandId: id(), cwd: daemon.workspace, trusted: true });
  await add(api, daemon.workspace, writePlugin(path.join(daemon.root, "kit"), kit()));
  const files = path.join(daemon.home, "plugins", "kit", "files");
  const run = { tool: "run_command", input: { command: "echo one > ran" } };
  const session = await daemon.session({ model: script(daemon, [{ calls: [run] }, { text: "Done." }]) });
  await session.prompt("go");
  const subjects: string[] = [];
  for (let asked = 0; asked < 6 && !existsSync(path.join(daemon.workspace, "ran")); asked++) {
    await session.untilOpen();
    const [request] = openRequests(session.state);
    if (!request) break;
    subjects.push("hooks" in request.subject ? "hooks" : "server" in request.subject ? "server" : "call");
    if (subjects.at(-1) === "call") {
      await session.answer({ choice: "deny" });
      break;
    }
    await session.answer({ choice: request.choices.find(({ id: choice }) => /workspace|approve|allow|start/.test(choice))?.id ?? "" });
  }
  expect(subjects).toContain("server");
  expect(subjects).toContain("hooks");
  expect(subjects.at(-1)).toBe("call"); // the hook allowed it, and Baton still asks

  const checks = [
    { action: "read", resource: path.join(files, "allow.sh") },
    { action: "edit", resource: path.join(files, "allow.sh") },
    { action: "read", resource: path.join(files, "..", "record.json") },
    { tool: "run_command", input: { command: `cat ${files}/allow.sh` } },
    { tool: "run_command", input: { command: `echo >> ${files}/allow.sh` } },
  ].map((check) => ({ ...check, cwd: daemon.workspace, mode: "code" }));
  expect((await api.permission.check.query(checks)).map((verdict) => "effect" in verdict && verdict.effect)).toEqual([
    "ask",
    "deny",
    "deny",
    "ask",
    "deny",
  ]);

  daemon.write(".baton/config.jsonc", JSON.stringify({ defaultMode: "kit-checker" }));
  await api.workspace.commands.query({ cwd: daemon.workspace });
  const plain = await daemon.session({ model: script(daemon, [{ text: "Done." }]) });
  await plain.runTurn("go");
  expect(plain.state.mode).toBe("code"); // a project cannot make a plugin's mode the default

  const running = () =>
    execFileSync("ps", ["-ewwo", "args"], { encoding: "utf8" })
      .split("\n")
      .filter((line) => line.includes(files)).length;
  expect(running()).toBe(1);
  await api.plugin.remove.mutate({ commandId: id(), name: "kit" });
  await expect.poll(running, { timeout: 10_000 }).toBe(0);
});

test("a git address is pinned to its commit, and an update shows the difference and asks again", async () => {
  await using daemon = await TestDaemon.start();
  const { api } = daemon.connect();
  const cwd = daemon.workspace;
  const repository = path.join(daemon.root, "repository");
  makeRepository(repository, kit());
  writeFileSync(path.join(repository, ".git", "hooks", "post-checkout"), `#!/bin/sh\ntouch ${daemon.root}/ran\n`, { mode: 0o755 });
  const source = `file://${repository}`;
  const first = await add(api, cwd, source);
  expect(first.pinned).toMatch(/^[0-9a-f]{40}$/);

  commitFiles(repository, { "allow.sh": "exit 0\n", "commands/more.md": "More." }, "second");
  const offer = await api.plugin.fetch.mutate({ commandId: id(), name: "kit" });
  expect(offer.changes).toEqual({
    added: [{ kind: "command", name: "kit:more", detail: "", file: "commands/more.md" }],
    removed: [],
    files: { added: ["commands/more.md"], removed: [], changed: ["allow.sh"] },
  });
  expect((await api.plugin.list.query({ cwd }))[0]?.hash).toBe(first.hash);
  const server = async () => (await api.mcp.questions.query({ cwd })).find((question) => question.server === "plugin_kit_talk")?.hash;
  const before = await server();
  const second = await api.plugin.approve.mutate({ commandId: id(), cwd, hash: offer.hash, use: true });
  expect([second.pinned === first.pinned, second.use.on]).toEqual([false, true]);
  expect([before !== undefined, (await server()) === before]).toEqual([true, false]); // its server is another one

  // A crash before the record of an update is written leaves the earlier version.
  await daemon.kill();
  const home = path.join(daemon.home, "plugins", "kit");
  renameSync(path.join(home, "files"), path.join(home, "before"));
  writePlugin(path.join(home, "files"), kit());
  await daemon.start();
  expect(await daemon.connect().api.plugin.list.query({ cwd })).toMatchObject([{ hash: second.hash, problem: null }]);

  commitFiles(repository, { ".claude-plugin/plugin.json": JSON.stringify({ name: "other" }) }, "renamed");
  await expect(daemon.connect().api.plugin.fetch.mutate({ commandId: id(), name: "kit" })).rejects.toThrow(/now contains a plugin other/);
  expect(existsSync(path.join(daemon.root, "ran"))).toBe(false);
});

test("a plugin of a marketplace is updated through it, also after the marketplace has moved it, and never from another marketplace", async () => {
  await using daemon = await TestDaemon.start();
  const { api } = daemon.connect();
  const cwd = daemon.workspace;
  const within = (folder: string) => Object.fromEntries(Object.entries(kit()).map(([name, text]) => [`${folder}/${name}`, text]));
  const list = (source: string) => ({ ".claude-plugin/marketplace.json": JSON.stringify({ plugins: [{ name: "kit", source }] }) });
  const market = path.join(daemon.root, "market");
  makeRepository(market, { ...within("one"), ...within("two"), "two/commands/more.md": "More.", ...list("./one") });
  await expect(api.plugin.fetch.mutate({ commandId: id(), source: `file://${market}` })).rejects.toThrow(
    /is a marketplace.*plugins are: kit\./,
  );
  const first = await add(api, cwd, `kit@file://${market}`);
  expect(first).toMatchObject({ name: "kit", source: `kit@file://${market}`, pinned: expect.stringMatching(/^[0-9a-f]{40}$/) as string });
  commitFiles(market, list("./two"), "moved");
  const offer = await api.plugin.fetch.mutate({ commandId: id(), name: "kit" });
  expect(offer.changes?.files).toEqual({ added: ["commands/more.md"], removed: [], changed: [] });
  const other = path.join(daemon.root, "other");
  makeRepository(other, { ...within("one"), ...list("./one") });
  for (const source of [`kit@file://${other}`, `kit@${market}`, path.join(market, "one")])
    await expect(api.plugin.fetch.mutate({ commandId: id(), source })).rejects.toThrow(/is installed already/);
});

test("the user's own parts keep their names beside two plugins, and a plugin with the name of an installed one is refused", async () => {
  await using daemon = await TestDaemon.start();
  const { api } = daemon.connect();
  const cwd = daemon.workspace;
  writePlugin(path.join(daemon.home, "commands"), { "ship.md": "My own way to ship." });
  for (const name of ["kit", "other"]) await add(api, cwd, writePlugin(path.join(daemon.root, name), kit(name)));
  const commands = await api.workspace.commands.query({ cwd });
  expect(commands.filter(({ name }) => /(?:^|:)ship$/.test(name)).map(({ name }) => name)).toEqual(["ship", "kit:ship", "other:ship"]);
  expect((await api.mcp.list.query({ cwd })).map(({ name }) => name)).toEqual(["plugin_kit_talk", "plugin_other_talk"]);
  const copy = writePlugin(path.join(daemon.root, "copy"), kit());
  await expect(api.plugin.fetch.mutate({ commandId: id(), source: copy })).rejects.toThrow(/kit from .*kit is installed already/);
});

test("a removed plugin takes the logins of its servers with it, those that have only begun as well, and no others", async () => {
  await using far = await HttpServer.start({ login: true });
  await using daemon = await TestDaemon.start();
  const { api } = daemon.connect();
  const cwd = daemon.workspace;
  const names = ["kit", "kit-2"];
  for (const name of names) {
    const files = {
      ".claude-plugin/plugin.json": JSON.stringify({ name }),
      ".mcp.json": JSON.stringify({ mcpServers: { far: { type: "http", url: far.url }, more: { type: "http", url: far.url } } }),
    };
    await add(api, cwd, writePlugin(path.join(daemon.root, name), files));
  }
  for (const { server: name, hash } of await api.mcp.questions.query({ cwd }))
    await api.mcp.approve.mutate({ commandId: id(), cwd, name, hash, approved: true });
  const begin = async (name: string) => {
    const sent = await fetch((await api.mcp.login.mutate({ cwd, name })).url ?? "", { redirect: "manual" });
    return () => fetch(sent.headers.get("location") ?? "");
  };
  for (const name of names) expect((await (await begin(`plugin_${name}_far`))()).status).toBe(200);
  const isBegun = await begin("plugin_kit_more");
  const stored = () =>
    Object.keys(JSON.parse(readFileSync(path.join(daemon.home, "mcp-credentials.json"), "utf8")) as object).map((key) => key.split(" ")[0]);
  expect(new Set(stored())).toEqual(new Set(["plugin_kit_far", "plugin_kit-2_far", "plugin_kit_more"]));
  await api.plugin.remove.mutate({ commandId: id(), name: "kit" });
  expect(new Set(stored())).toEqual(new Set(["plugin_kit-2_far"]));
  expect(await (await isBegun()).text()).toContain("expired");
  expect(new Set(stored())).toEqual(new Set(["plugin_kit-2_far"]));
});

/** npm takes seconds to start, so this is only in the nightly run. */
const WITH_PACKAGES = process.env["BATON_PACKAGES"];

test.runIf(WITH_PACKAGES)("an npm package is fetched without running its scripts", async () => {
  await using registry = await openRegistry();
  await using daemon = await TestDaemon.start({ env: { npm_config_registry: registry.url } });
  const { api } = daemon.connect();
  const marker = path.join(daemon.root, "ran");
  const manifest = {
    name: "kit",
    version: "1.0.0",
    scripts: { prepack: `touch ${marker}`, postinstall: `touch ${marker}`, prepare: `touch ${marker}` },
  };
  const file = (name: string, data: string) => ({ name: `package/${name}`, data });
  const files = Object.entries({ ...kit(), "package.json": JSON.stringify(manifest) }).map(([name, data]) => file(name, data));
  registry.packages = {
    kit: await createTarGzip(files),
  };
  const installed = await add(api, daemon.workspace, "npm:kit@1.0.0");
  expect(installed).toMatchObject({ name: "kit", problem: null, pinned: expect.stringMatching(/^1\.0\.0 sha512-/) as string });
  await expect(api.plugin.fetch.mutate({ commandId: id(), source: "npm:absent" })).rejects.toThrow(/npm cannot fetch absent/i);
  expect(existsSync(marker)).toBe(false);
});

/** An npm registry on loopback, with packages of version 1.0.0. */
async function openRegistry() {
  const registry = { packages: {} as Record<string, Uint8Array>, url: "" };
  const server = createServer((request, response) => {
    const [, name = "", isTarball] = /^\/([^/]+)(\/-\/.*)?$/.exec(request.url ?? "") ?? [];
    const tarball = registry.packages[name];
    if (!tarball) return void response.writeHead(404).end("{}");
    if (isTarball !== undefined) return void response.end(tarball);
    const integrity = `sha512-${createHash("sha512").update(tarball).digest("base64")}`;
    const version = { name, version: "1.0.0", dist: { integrity, tarball: `${registry.url}/${name}/-/${name}-1.0.0.tgz` } };
    response.end(JSON.stringify({ name, "dist-tags": { latest: "1.0.0" }, versions: { "1.0.0": version } }));
  });
  await new Promise<void>((listens) => server.listen(0, "127.0.0.1", listens));
  registry.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return Object.assign(registry, {
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  });
}
