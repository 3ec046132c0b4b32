import { omitUndefined } from "@baton/core/text/omit-undefined";
import type { McpServer } from "@baton/core/protocol/config/mcp";

/** A server as the form edits it. `args` has one argument per line, `env` and `headers` one NAME=value per line. */
export type ServerDraft = {
  name: string;
  kind: "program" | "address";
  command: string;
  args: string;
  url: string;
  env: string;
  headers: string;
  cwd: string;
};

export const newServerDraft: ServerDraft = { name: "", kind: "program", command: "", args: "", url: "", env: "", headers: "", cwd: "" };

/** A server of the config. Values of variables and headers are not shown; a line that has only `UNCHANGED` keeps its value. */
export type OwnServer = Omit<McpServer, "env" | "headers"> & { name: string; env: readonly string[]; headers: readonly string[] };

export const UNCHANGED = "(unchanged)";

export function serverDraft({ name, command, args = [], url, env, headers, cwd }: OwnServer): ServerDraft {
  const lines = (names: readonly string[]) => names.map((each) => `${each}=${UNCHANGED}`).join("\n");
  return {
    name,
    kind: url === undefined ? "program" : "address",
    command: command ?? "",
    args: args.join("\n"),
    url: url ?? "",
    env: lines(env),
    headers: lines(headers),
    cwd: cwd ?? "",
  };
}

/** The server for the config, and the names of the values that it keeps. `before` has the settings that the form does not show. */
export function draftServer(
  draft: ServerDraft,
  before: OwnServer | undefined,
): { server: McpServer; keep: { env: string[]; headers: string[] } } {
  const { type, sandbox, ...others } = before ?? {};
  const rest = withoutFields(others);
  const [env, headers] = [namedValues(draft.env), namedValues(draft.headers)];
  if (draft.kind === "address")
    return {
      server: { url: draft.url.trim(), ...(type && type !== "stdio" ? { type } : {}), ...withValues("headers", headers.values), ...rest },
      keep: { env: [], headers: headers.kept },
    };
  const args = draft.args.split("\n").filter((line) => line !== "");
  return {
    server: {
      command: draft.command.trim(),
      ...(args.length === 0 ? {} : { args }),
      ...(draft.cwd.trim() === "" ? {} : { cwd: draft.cwd.trim() }),
      ...withValues("env", env.values),
      ...omitUndefined({ sandbox }),
      ...rest,
    },
    keep: { env: env.kept, headers: [] },
  };
}

/** The settings that the form does not show. */
function withoutFields(server: Partial<Omit<OwnServer, "type" | "sandbox">>): Pick<McpServer, "timeoutMs" | "disabled" | "perPlace"> {
  const { name: _name, command: _command, args: _args, url: _url, env: _env, headers: _headers, cwd: _cwd, ...rest } = server;
  return rest;
}

const withValues = (name: "env" | "headers", values: Record<string, string>) =>
  Object.keys(values).length === 0 ? {} : { [name]: values };

function namedValues(text: string): { values: Record<string, string>; kept: string[] } {
  const values: Record<string, string> = {};
  const kept: string[] = [];
  for (const line of text.split("\n")) {
    const [, name, value = ""] = /^\s*([^=\s]+)\s*=(.*)$/.exec(line) ?? [];
    if (name === undefined) continue;
    if (value.trim() === UNCHANGED) kept.push(name);
    else values[name] = value.trim();
  }
  return { values, kept };
}
