import { McpServer, ServerName, ServerSandbox } from "@baton/core/protocol/config/mcp";
import { isRecord } from "@baton/core/text/json";
import { parse, type ParseError } from "jsonc-parser";
import { jsonErrorMessage } from "./json-error-message.ts";

type Fields = Record<string, unknown>;

/** The reason why something was not imported. `at`: the offset in the text. */
type ImportNote = { at: number; text: string };

/** The MCP servers in a file of Baton or another program, and notes about what was not imported. */
export type ForeignServers = { servers: Record<string, McpServer>; notes: ImportNote[] };

/**
 * Reads the formats of other programs: `mcpServers` (Claude Code, Cursor, Gemini with `httpUrl`), `servers` (VS Code), `mcp` (opencode, with
 * the command as a list), `context_servers` (Zed). Invalid servers and Baton itself are left out with a note.
 */
export function parseForeignServers(text: string): ForeignServers {
  const errors: ParseError[] = [];
  const root: unknown = parse(text, errors, { allowTrailingComma: true });
  const servers: Record<string, McpServer> = {};
  const notes = errors
    .slice(0, 1)
    .map((error): ImportNote => ({ at: error.offset, text: `${jsonErrorMessage(error)}, so a part of the file cannot be read.` }));
  for (const [name, entry] of Object.entries(tableOf(root))) {
    const read = McpServer.safeParse(isRecord(entry) ? toServer(entry) : entry);
    const clean = name.replaceAll(/[^A-Za-z0-9_.-]+/g, "-").replaceAll(/_{2,}/g, "_");
    const note = (message: string) => notes.push({ at: Math.max(0, text.indexOf(JSON.stringify(name))), text: message });
    if (!ServerName.safeParse(clean).success) note(`${name} is not a valid server name. Use letters, digits, - _ and .`);
    else if (!read.success) note(`${name}: ${read.error.issues[0]?.message ?? "the server is invalid"}.`);
    else if (isBaton(read.data)) note(`${name} is Baton itself, for use by other agents.`);
    else servers[clean] = read.data;
    for (const key of ALLOWING.filter((each) => isRecord(entry) && isAllowing(entry[each])))
      note(`${name}: its \`${key}\` is not used, so Baton asks about its tools. Answer with "This workspace", or write a rule for mcp.`);
    if (isRecord(entry) && entry["sandbox"] !== undefined && !ServerSandbox.safeParse(entry["sandbox"]).success)
      note(`${name}: its \`sandbox\` is ignored, because it may only have the lists reads, writes and hosts.`);
  }
  return { servers, notes };
}

/** How Roo, Kilo, Cline, Amazon Q and Gemini let an agent call tools of a server without asking. */
const ALLOWING = ["alwaysAllow", "autoApprove", "trust"];
const isAllowing = (value: unknown): boolean => value === true || (Array.isArray(value) && value.length > 0);

/** True for the entry that `baton mcp install` writes for other agents, even an edited one. Other programs have such a command too. */
function isBaton({ command = "", args = [] }: McpServer): boolean {
  const words = [command, ...args].join(" ").split(/\s+/);
  const at = words.findIndex((word, i) => word === "mcp" && words[i + 1] === "serve");
  if (at < 1) return false;
  return words[at + 2]?.startsWith("--profile") === true || /(^|[\\/@])baton([\\/.@]|$)/i.test(words[at - 1] ?? "");
}

function tableOf(root: unknown): Fields {
  if (!isRecord(root)) return {};
  for (const key of ["mcpServers", "servers", "context_servers", "mcp"]) {
    const table = root[key];
    if (!isRecord(table)) continue;
    return key === "mcp" && isRecord(table["servers"]) ? table["servers"] : table;
  }
  return {};
}

/** A server of another program in Baton's format. Unknown fields are dropped. */
function toServer(fields: Fields): Fields {
  const { command, args, env, environment, cwd, url, httpUrl, headers, timeout, disabled, enabled, type, perPlace, sandbox } = fields;
  const [program, ...words] = Array.isArray(command) ? (command as unknown[]) : [command];
  const address = url ?? httpUrl;
  return withoutUndefined({
    ...(address === undefined
      ? {
          command: program,
          args: words.length > 0 ? words : args,
          env: env ?? environment,
          cwd,
          sandbox: ServerSandbox.safeParse(sandbox).data,
        }
      : { url: address, headers, type: type === "sse" ? "sse" : undefined }),
    timeoutMs: timeoutMs(timeout),
    disabled: disabled === true || enabled === false ? true : undefined,
    perPlace: perPlace === true ? true : undefined,
  });
}

/** Some programs write seconds and some write milliseconds. No server needs more than 1,000 seconds. */
function timeoutMs(timeout: unknown): number | undefined {
  if (typeof timeout !== "number") return undefined;
  return timeout < 1_000 ? timeout * 1_000 : timeout;
}

const withoutUndefined = (fields: Fields): Fields => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
