import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { formatCount } from "@baton/core/text/format";
import { escapeInvisible } from "@baton/core/text/sanitize";
import { serverStatusText } from "@baton/core/text/server-status-text";
import { hangingIndent, contentWidth } from "../../render/layout.ts";
import { terminalStyle, printJson, printLines } from "../output.ts";
import { EXIT_CODES, CommandExit, usageError } from "../../connection/exit-codes.ts";
import { type Api, withConnection } from "../../connection/daemon-connection.ts";

export type FolderOptions = { cwd?: string; json?: boolean };

/** Lists the MCP servers of a folder and their state. */
export async function listServers({ cwd = process.cwd(), json = false }: FolderOptions): Promise<void> {
  await withConnection(async ({ api }) => {
    const rows = await api.mcp.list.query({ cwd });
    if (json) return printJson(rows);
    const distrusted = await untrustedServerLines(api, cwd);
    if (rows.length === 0 && distrusted.length === 0)
      return printLines(["No MCP server is configured here. `baton mcp add NAME -- COMMAND` adds one."]);
    const style = terminalStyle();
    printLines(distrusted.flatMap((line) => hangingIndent(line, "  · ", contentWidth(style))));
    printLines(
      rows.flatMap(({ name, status, source, launch, tools, problem }) => [
        ...hangingIndent(
          `${name}  ${serverStatusText[status]}${tools.length > 0 ? `, ${tools.length} tools` : ""} ${style.ansi.dim(`· ${source}: ${escapeInvisible(launch)}`)}`,
          status === "ready" ? "  ✓ " : status === "needs_approval" ? `  ${style.ansi.attention("◆")} ` : "  · ",
          contentWidth(style),
        ),
        ...(problem === undefined
          ? []
          : hangingIndent(`${escapeInvisible(problem)}${approveHint(name, status)}`, "    ", contentWidth(style))),
      ]),
    );
  });
}

const approveHint = (name: string, status: string): string =>
  status === "needs_approval" ? ` \`baton mcp approve ${escapeInvisible(name)}\` shows the details.` : "";

/** Servers that an untrusted project would add. */
async function untrustedServerLines(api: Api, cwd: string): Promise<string[]> {
  const { trust, files } = await api.workspace.status.query({ cwd });
  const file = files.find((name) => name === ".mcp.json");
  return trust === "trusted" || file === undefined
    ? []
    : [`${file} is ignored because this folder is not trusted. \`baton trust\` trusts it.`];
}

/** Connects to a server and prints the result. */
export async function testServer(name: string, { cwd = process.cwd(), json = false }: FolderOptions): Promise<void> {
  await withConnection(async ({ api }) => {
    const row = await api.mcp.test.mutate({ cwd, name });
    if (json) printJson(row);
    else if (row.problem === null)
      printLines([
        `Connected to ${name}: ${escapeInvisible(row.version) || "unnamed"}, ${row.era} protocol, ${formatCount(row.tools.length, "tool")}.`,
      ]);
    if (row.problem !== null) throw new CommandExit(json ? "" : row.problem, EXIT_CODES.failed);
  });
}

export async function serverLogs(name: string, { cwd = process.cwd(), json = false }: FolderOptions): Promise<void> {
  await withConnection(async ({ api }) => {
    const lines = await api.mcp.logs.query({ cwd, name });
    if (json) printJson(lines);
    else printLines(lines.map(escapeInvisible));
  });
}

export type AddOptions = { url?: string; env?: string[]; header?: string[]; replace?: boolean; json?: boolean };

/** Adds a server to the user's config. */
export async function addServer(name: string, command: readonly string[], options: AddOptions): Promise<void> {
  const { url, env = [], header = [], replace = false, json = false } = options;
  const [program, ...args] = command;
  if ((url === undefined) === (program === undefined)) throw usageError("Give either a command after --, or an address with --url.");
  if (url !== undefined && !/^https?:\/\/|^\$\{|^\{env:/.test(url))
    throw usageError(`${url} is not an address. It must begin with https:// or http://.`);
  const server =
    url === undefined
      ? { command: program, args, ...(env.length > 0 ? { env: pairs(env, "=") } : {}) }
      : { url, ...(header.length > 0 ? { headers: pairs(header, ":") } : {}) };
  await withConnection(async ({ api }) => {
    await api.mcp.add.mutate({ name, server, replace });
    if (json) printJson({ name, server });
    else printLines([`Added ${name} to your config. \`baton mcp test ${name}\` tries it.`]);
  });
}

function pairs(entries: readonly string[], between: string): Record<string, string> {
  return Object.fromEntries(
    entries.map((pair) => {
      const at = pair.indexOf(between);
      if (at <= 0) throw usageError(`Write ${JSON.stringify(pair)} as NAME${between}VALUE.`);
      return [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
    }),
  );
}

export async function removeServer(name: string, { json = false }: { json?: boolean }): Promise<void> {
  await withConnection(async ({ api }) => {
    await api.mcp.remove.mutate({ name });
    if (json) printJson({ removed: name });
    else printLines([`Removed ${name} from your config.`]);
  });
}

/** Shows the definition of a project's server, and approves exactly that definition. */
export async function approveServer(
  name: string,
  { cwd = process.cwd(), yes = false, deny = false, json = false }: FolderOptions & { yes?: boolean; deny?: boolean },
): Promise<void> {
  await withConnection(async ({ api }) => {
    const question = (await api.mcp.questions.query({ cwd, refused: true })).find(({ server }) => server === name);
    if (!question) {
      const servers = await api.mcp.list.query({ cwd });
      if (!servers.some((server) => server.name === name))
        throw usageError(`There is no MCP server ${name} here. \`baton mcp list\` lists them.`);
      throw new CommandExit(`${name} needs no approval. \`baton mcp list\` shows its state.`, EXIT_CODES.failed);
    }
    const { header, text, view, hash } = question;
    if (!json)
      printLines([header, text, "", ...(view?.type === "text" ? view.text.split("\n").map((line) => `  ${escapeInvisible(line)}`) : [])]);
    if (!yes && !deny) {
      if (json) printJson({ ...question, approved: null });
      else printLines(["", `\`baton mcp approve ${name} --yes\` approves it, --deny refuses it.`]);
      return;
    }
    await api.mcp.approve.mutate({ cwd, name, hash, approved: yes });
    if (json) printJson({ ...question, approved: yes });
    else printLines(["", yes ? "Approved until its definition changes." : "Refused."]);
  });
}

/** Converts the servers in another agent's file, and adds them to the config with --write. */
export async function importServers(file: string, { write = false, json = false }: { write?: boolean; json?: boolean }): Promise<void> {
  const text = readText(file);
  await withConnection(async ({ api }) => {
    const imported = await api.mcp.import.mutate({ text, write });
    if (json) return printJson(imported);
    const names = Object.entries(imported.servers).map(
      ([name, { command, args = [], url }]) => `  ${name}  ${escapeInvisible(url ?? [command, ...args].join(" "))}`,
    );
    printLines([...names, ...imported.notes.map((note) => `  ! ${escapeInvisible(note)}`)]);
    printLines([write ? "Added to your config." : "Nothing was written. --write adds them to your config."]);
  });
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new CommandExit(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`, EXIT_CODES.usage);
  }
}

const LOGIN_MS = 5 * 60_000;
const POLL_MS = 1_000;

/** Prints the login address of a server, and waits until the login has succeeded. */
export async function loginServer(name: string, { cwd = process.cwd(), json = false }: FolderOptions): Promise<void> {
  await withConnection(async ({ api }) => {
    const { url } = await api.mcp.login.mutate({ cwd, name });
    if (json) return printJson({ name, url });
    if (url === null) return printLines([`${name} needs no login.`]);
    printLines([`Open this address and log in (${new URL(url).host}):`, "", escapeInvisible(url), ""]);
    for (const until = Date.now() + LOGIN_MS; Date.now() < until; await sleep(POLL_MS)) {
      if ((await api.mcp.test.mutate({ cwd, name })).problem === null) return printLines([`Logged in to ${name}.`]);
    }
    throw new CommandExit("The login was not completed within 5 minutes.", EXIT_CODES.failed);
  });
}
