import { hash } from "node:crypto";
import path from "node:path";
import type { McpServer, ServerSandbox } from "@baton/core/protocol/config/mcp";

/** An MCP server that the user, a project or a client configured. `source`: the file or the client. */
export type McpServerDefinition = {
  name: string;
  scope: "user" | "project" | "client";
  source: string;
  /** The plugin that it is part of. */
  plugin?: string | undefined;
  launch: ServerLaunch;
  /** The launch as it is written, for users to read. Values of variables may be secrets. */
  written: ServerLaunch;
  /** The environment variables or headers as they are written. */
  variables: Readonly<Record<string, string>>;
  timeoutMs: number;
  disabled: boolean;
  /** Each place has a process of its own, because the server works on the files of one folder. */
  perPlace: boolean;
  /** Variables that it refers to and that are not set, so they are empty. */
  unset: readonly string[];
};

export type ServerLaunch =
  | {
      kind: "stdio";
      command: string;
      args: readonly string[];
      env: Readonly<Record<string, string>>;
      cwd: string;
      /** Its access in the sandbox. Undefined: it runs outside. */
      sandbox?: ServerSandbox | undefined;
    }
  | { kind: "http"; url: string; headers: Readonly<Record<string, string>>; sse: boolean };

type Fill = (text: string) => string;
/** Creates a function that replaces variables and collects the names of unset ones. */
type FillFactory = (unset: Set<string>) => Fill;
type Env = Readonly<Record<string, string | undefined>>;
type ServerSource = { servers: Readonly<Record<string, McpServer>>; source: string };
/** The servers of a plugin. `literal`: the variables in a server's values stay as they are written. */
export type PluginServers = { plugin: string; servers: Readonly<Record<string, { server: McpServer; literal: boolean }>>; source: string };

const TIMEOUT_MS = 60_000;

/**
 * The servers of a workspace. If several have one name, the user's server wins, then those of plugins, then the project's, then those of
 * clients in the order of their arrival. A server of a plugin needs the same approval as one of a project. Values of clients are literal, because clients replace variables themselves.
 */
export function mcpServerDefinitions(
  user: ServerSource,
  project: ServerSource,
  plugins: readonly PluginServers[],
  clientServers: readonly ServerSource[],
  workspace: string,
  env: Env,
): McpServerDefinition[] {
  const filling: FillFactory = (unset) => (text) => fill(text, env, unset);
  const all = [
    ...definitionsOf("user", user, workspace, filling),
    ...plugins.flatMap(({ plugin, servers, source }) =>
      Object.entries(servers).flatMap(([name, { server, literal }]) =>
        definitionsOf("project", { servers: { [name]: server }, source }, workspace, literal ? unchanged : filling).map((each) => ({
          ...each,
          plugin,
        })),
      ),
    ),
    ...definitionsOf("project", project, workspace, filling),
    ...clientServers.flatMap((named) => definitionsOf("client", named, workspace, unchanged)),
  ];
  const taken = new Set<string>();
  return all.filter(({ name }) => !taken.has(name) && taken.add(name));
}

const unchanged: FillFactory = () => (text) => text;

function definitionsOf(
  scope: McpServerDefinition["scope"],
  { servers, source }: ServerSource,
  workspace: string,
  filling: FillFactory,
): McpServerDefinition[] {
  return Object.entries(servers).map(([name, server]) => {
    const { timeoutMs = TIMEOUT_MS, disabled = false, perPlace = false, env = {}, headers = {} } = server;
    const unset = new Set<string>();
    const launch = launchOf(server, workspace, filling(unset));
    const variables = launch.kind === "stdio" ? env : headers;
    const written = launchOf(server, workspace, (text) => text);
    return { name, scope, source, launch, written, variables, timeoutMs, disabled, perPlace, unset: [...unset] };
  });
}

function launchOf(
  { command, args = [], env: given = {}, cwd, url, headers = {}, type, sandbox }: McpServer,
  workspace: string,
  filled: Fill,
): ServerLaunch {
  if (url !== undefined) return { kind: "http", url: filled(url), headers: mapValues(headers, filled), sse: type === "sse" };
  return {
    kind: "stdio",
    command: filled(command ?? ""),
    args: args.map(filled),
    env: mapValues(given, filled),
    cwd: path.resolve(workspace, cwd === undefined ? "." : filled(cwd)),
    sandbox,
  };
}

export const mapValues = (record: Readonly<Record<string, string>>, by: (value: string) => string): Record<string, string> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, by(value)]));

const VARIABLE = /\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}|\{env:([A-Za-z_]\w*)\}/g;

/** Replaces environment variables in a value. An unset variable becomes its default or an empty text. */
const fill = (text: string, env: Env, unset: Set<string>): string =>
  text.replaceAll(VARIABLE, (_, named: string | undefined, instead: string | undefined, other: string | undefined) => {
    const name = named ?? other ?? "";
    const value = env[name] ?? instead;
    if (value === undefined) unset.add(name);
    return value ?? "";
  });

/** A sentence about unset variables. Undefined if there are none. */
export const unsetVariablesText = ({ unset }: McpServerDefinition): string | undefined =>
  unset.length === 0 ? undefined : `These variables are not set in the daemon's environment, so they are empty: ${unset.join(", ")}.`;

/** The command or the address, without variables and headers. */
export function launchText(launch: ServerLaunch): string {
  switch (launch.kind) {
    case "stdio":
      return [launch.command, ...launch.args].map(shellQuoted).join(" ");
    case "http":
      return /\s/.test(launch.url) ? JSON.stringify(launch.url) : launch.url;
  }
}

/** A word in shell syntax: quoted and on one line, unless it is plain. */
export const shellQuoted = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : JSON.stringify(word));

/**
 * Identifies the launch. It changes with the command, its arguments, its folder, its address, and each written value. The content of a
 * variable does not matter, but its name does.
 */
export function launchHash({ launch, variables }: McpServerDefinition): string {
  const place =
    launch.kind === "stdio"
      ? { command: launch.command, args: launch.args, cwd: launch.cwd, sandbox: launch.sandbox }
      : { url: launch.url };
  return hashJson({ ...place, given: variables });
}

/** Changes with every setting, secrets and scope included. Another hash needs another connection. */
export const settingsHash = ({ scope, launch, variables, timeoutMs }: McpServerDefinition): string =>
  hashJson({ scope, launch, given: variables, timeoutMs });

export const hashJson = (value: unknown): string => hash("sha256", canonicalJson(value));

/** JSON with sorted keys: equal values give the same text. */
function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const entries = Object.entries(value)
    .filter(([, of]) => of !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, of]) => `${JSON.stringify(key)}:${canonicalJson(of)}`).join(",")}}`;
}
