import { McpServer, ServerName } from "@baton/core/protocol/mcp";
import { parse, type ParseError } from "jsonc-parser";
import { jsonErrorMessage } from "./json-error-message.ts";

type Given = Record<string, unknown>;

/** Why something was not taken over; `at` is where in the text, as an offset. */
export type ImportNote = { at: number; text: string };

/** MCP servers of a file of ours or of another program, and what could not be taken over. */
export type ForeignServers = { servers: Record<string, McpServer>; notes: ImportNote[] };

/**
 * Reads what hosts write: `mcpServers` (Claude Code, Cursor, Gemini with `httpUrl`), `servers` (VS Code), `mcp` (opencode,
 * with a command as a list), `context_servers` (Zed). A server that makes no sense is left out and named, and so are we.
 */
export function parseForeignServers(text: string): ForeignServers {
  const errors: ParseError[] = [];
  const root: unknown = parse(text, errors, { allowTrailingComma: true });
  const servers: Record<string, McpServer> = {};
  const notes = errors
    .slice(0, 1)
    .map((error): ImportNote => ({ at: error.offset, text: `${jsonErrorMessage(error)}, so not all of it can be read.` }));
  for (const [name, given] of Object.entries(tableOf(root))) {
    const read = McpServer.safeParse(isGiven(given) ? ours(given) : given);
    const clean = name.replaceAll(/[^A-Za-z0-9_.-]+/g, "-").replaceAll(/_{2,}/g, "_");
    const note = (said: string) => notes.push({ at: Math.max(0, text.indexOf(JSON.stringify(name))), text: said });
    if (!ServerName.safeParse(clean).success) note(`${name} cannot be the name of a server: letters, digits, - _ and . make one.`);
    else if (!read.success) note(`${name}: ${read.error.issues[0]?.message ?? "it makes no sense"}.`);
    else if (isOurselves(read.data)) note(`${name} is Baton itself, for other agents.`);
    else servers[clean] = read.data;
  }
  return { servers, notes };
}

/** What `baton mcp install` writes for others is no server of ours, nor is what a person wrote in its place. Other programs have such a command too. */
function isOurselves({ command = "", args = [] }: McpServer): boolean {
  const words = [command, ...args].join(" ").split(/\s+/);
  const at = words.findIndex((word, i) => word === "mcp" && words[i + 1] === "serve");
  if (at < 1) return false;
  return words[at + 2]?.startsWith("--profile") === true || /(^|[\\/@])baton([\\/.@]|$)/i.test(words[at - 1] ?? "");
}

const isGiven = (value: unknown): value is Given => typeof value === "object" && value !== null && !Array.isArray(value);

function tableOf(root: unknown): Given {
  if (!isGiven(root)) return {};
  for (const key of ["mcpServers", "servers", "context_servers", "mcp"]) {
    const table = root[key];
    if (!isGiven(table)) continue;
    return key === "mcp" && isGiven(table["servers"]) ? table["servers"] : table;
  }
  return {};
}

/** One server of any of them in our words; what we do not know is left out. */
function ours(given: Given): Given {
  const { command, args, env, environment, cwd, url, httpUrl, headers, timeout, disabled, enabled, type } = given;
  const [program, ...words] = Array.isArray(command) ? (command as unknown[]) : [command];
  const address = url ?? httpUrl;
  return withoutNothing({
    ...(address === undefined
      ? { command: program, args: words.length > 0 ? words : args, env: env ?? environment, cwd }
      : { url: address, headers, type: type === "sse" ? "sse" : undefined }),
    timeoutMs: typeof timeout === "number" ? (timeout < 1_000 ? timeout * 1_000 : timeout) : undefined,
    disabled: disabled === true || enabled === false ? true : undefined,
  });
}

const withoutNothing = (given: Given): Given => Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
