import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { call, openHome, type Home } from "../support/home.ts";
import { pageText } from "./command-lines.ts";

const CLIENT = fileURLToPath(new URL("../../dist/main.js", import.meta.url));
const SERVER = path.join(import.meta.dirname, "mcp-server.ts");
const PLUGIN = "./review-kit";
const SAMPLE = fileURLToPath(new URL("../../sample", import.meta.url));

/** The home that the reader of a page has, and the values for the placeholders of the page. */
export type PreparedHome = { home: Home; placeholders: Record<string, string> };

/** A home with sessions, a grant and a backup. Every page gets the same content at the same paths. */
export type PreparedHomes = {
  /** Restores the first state of the home, and adds the requirements of the page. */
  restore: (page: string) => PreparedHome;
  close: () => Promise<void>;
};

/**
 * A repository with a model, sessions, and the files of other agents that the documents name. It is made once, because that takes many
 * commands.
 */
export async function openPreparedHomes(): Promise<PreparedHomes> {
  const home = openHome();
  home.env["PATH"] = `${writePrograms(home)}:${home.env["PATH"]}`;
  writeRepository(home);
  writeFilesOfOtherAgents(home);
  const reply = home.script(...Array.from({ length: 8 }, () => ({ text: "It is done." })));
  configure(home, { model: reply, mcpServers: servers });
  await home.run(["trust"]);
  const session = await sessionWithChanges(home);
  const grant = await grantInWorkspace(home);
  await installPlugins(home);
  await home.run(["run", "ask", "--on-request", "fail", "--model", asks(home, "touch open.txt")]);
  const { file } = JSON.parse((await home.run(["db", "backup", "--json"])).out) as { file: string };
  await home.run(["daemon", "stop"]);
  const folder = path.dirname(home.workspace);
  const saved = `${folder}.saved`;
  execFileSync("cp", ["-a", folder, saved]);
  return {
    restore: (page) => {
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
      execFileSync("cp", ["-a", saved, folder]);
      if (page.endsWith("guides/mcp-server.md")) configure(home, { model: reply });
      writeFilesOfPage(home, page);
      return { home, placeholders: { SESSION: session, k3m9: session, ID: page.endsWith("models.md") ? session : grant, FILE: file } };
    },
    close: async () => {
      await home[Symbol.asyncDispose]();
      rmSync(saved, { recursive: true, force: true });
    },
  };
}

const servers = Object.fromEntries(["files", "tickets"].map((name) => [name, { command: process.execPath, args: [SERVER] }]));

const configure = (home: Home, config: object): void => home.configure(config);

const asks = (home: Home, command: string): string => home.script({ calls: [call("run_command", { command })] }, { text: "Done." });

/** `baton`, and the programs that the documents call. */
function writePrograms(home: Home): string {
  const folder = path.join(home.workspace, "..", "bin");
  mkdirSync(folder);
  const programs = {
    baton: `exec '${process.execPath}' '${CLIENT}' "$@"`,
    pass: "echo sk-test",
    "xdg-open": "true",
    open: "true",
    npx: `exec '${process.execPath}' '${SERVER}'`,
  };
  for (const [name, script] of Object.entries(programs)) {
    writeFileSync(path.join(folder, name), `#!/bin/sh\n${script}\n`);
    chmodSync(path.join(folder, name), 0o755);
  }
  return folder;
}

function writeRepository(home: Home): void {
  cpSync(SAMPLE, home.workspace, { recursive: true });
  const write = (file: string, text: string | Buffer) => writeBelow(home.workspace, file, text);
  write("shot.png", PNG);
  write(`${PLUGIN}/.claude-plugin/plugin.json`, JSON.stringify({ name: "review-kit" }));
  write("our-plugins/.claude-plugin/marketplace.json", JSON.stringify({ plugins: [{ name: "tidy-kit", source: "./tidy-kit" }] }));
  write("our-plugins/tidy-kit/.claude-plugin/plugin.json", JSON.stringify({ name: "tidy-kit" }));
  write("bug.json", JSON.stringify({ replies: [{ text: "It is done." }] }));
  write("path/to/agent.yaml", "---\nname: reviewer\ndescription: Reviews changes.\n---\n\nYou review changes.\n");
  execFileSync("git", ["init", "--quiet"], { cwd: home.workspace });
}

function writeFilesOfPage(home: Home, page: string): void {
  const mode = /```markdown\n(---\n[^]*?)```/.exec(pageText("docs/guides/write-a-mode.md"))?.[1];
  if (page.endsWith("write-a-mode.md")) writeBelow(home.workspace, ".baton/modes/docs.md", mode ?? "");
  if (page.endsWith("environments.md")) writeBelow(home.workspace, ".venv/pyvenv.cfg", "home = /usr/bin\n");
  if (page.endsWith("parallel-work.md")) addPullRequest(home.workspace);
}

/** Makes a first commit, and a remote with a pull request. */
function addPullRequest(workspace: string): void {
  const origin = path.join(workspace, "..", "origin");
  const git = (...args: string[]) => execFileSync("git", args, { cwd: workspace });
  git("init", "--quiet", "--bare", origin);
  git("add", "--all");
  git("-c", "user.name=Ada", "-c", "user.email=ada@example.org", "commit", "--quiet", "--message", "first");
  git("remote", "add", "origin", origin);
  git("push", "--quiet", "origin", "HEAD:refs/pull/123/head");
}

const PNG = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==", "base64");

function writeFilesOfOtherAgents(home: Home): void {
  const json = JSON.stringify({ mcpServers: { notes: { command: "notes-server", args: [] } } });
  const inHome = (file: string, text: string) => writeBelow(home.env["HOME"] ?? "", file, text);
  inHome(".claude/settings.json", JSON.stringify({ permissions: { allow: ["Bash(npm test)"], deny: ["Read(./secrets/**)"] } }));
  inHome(".claude.json", json);
  inHome(".codex/config.toml", '[mcp_servers.notes]\ncommand = "notes-server"\n');
  inHome(
    ".config/opencode/opencode.json",
    JSON.stringify({ permission: { bash: { "npm test": "allow" } }, mcp: { notes: { type: "local", command: ["notes-server"] } } }),
  );
  for (const file of ["cline_mcp_settings.json", ".roo/mcp.json"]) writeBelow(home.workspace, file, json);
}

function writeBelow(folder: string, file: string, text: string | Buffer): void {
  mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
  writeFileSync(path.join(folder, file), text);
}

/** Makes a session with three prompts, each of which changed a file. */
async function sessionWithChanges(home: Home): Promise<string> {
  let id: string | undefined;
  for (const [n, prompt] of ["round the cart", "test it", "document it"].entries()) {
    const model = home.script({ calls: [call("write_file", { path: `change-${n}.txt`, content: "new\n" })] }, { text: "Done." });
    const more = id === undefined ? [] : ["--session", id];
    const { out } = await home.run(["run", prompt, "--model", model, "--allow", "edit *", "--json", ...more]);
    id = (JSON.parse(out.trim().split("\n").at(-1) ?? "") as { session: string }).session;
  }
  return id ?? "";
}

/** Installs the plugins that the documents name, because their installation asks in a terminal. */
async function installPlugins(home: Home): Promise<void> {
  for (const source of [PLUGIN, "tidy-kit@./our-plugins"]) {
    const { out } = await home.run(["plugins", "add", source, "--json"]);
    await home.run(["plugins", "add", source, "--yes", (JSON.parse(out) as { hash: string }).hash]);
  }
}

/** Allows a command for the workspace, and returns the id of the grant. */
async function grantInWorkspace(home: Home): Promise<string> {
  await home.run(["run", "grant", "--on-request", "fail", "--model", asks(home, "mkdir granted")]);
  const [request] = JSON.parse((await home.run(["inbox", "--json"])).out) as { id: string }[];
  await home.run(["answer", request?.id ?? "", "workspace"]);
  const { out } = await home.run(["permissions", "grants", "--json"]);
  const [grant] = JSON.parse(out) as { id: string }[];
  return grant?.id ?? "";
}
