import { hash } from "node:crypto";
import path from "node:path";
import type { McpServer } from "@baton/core/protocol/mcp";

/** A server that a person, a project or a client has named. `source` is the file or the client that names it. */
export type ServerDefinition = {
  name: string;
  scope: "user" | "project" | "client";
  source: string;
  launch: Launch;
  /** The same as it is written, for people to see: what stands for a variable may be a secret. */
  written: Launch;
  /** What it is given besides, as it is written where it is named: variables of its environment, or headers. */
  given: Readonly<Record<string, string>>;
  timeoutMs: number;
  disabled: boolean;
  /** Variables that it names and that are not set here, so that they are empty. */
  unset: readonly string[];
};

export type Launch =
  | { kind: "stdio"; command: string; args: readonly string[]; env: Readonly<Record<string, string>>; cwd: string }
  | { kind: "http"; url: string; headers: Readonly<Record<string, string>>; sse: boolean };

type Fill = (text: string) => string;
/** A filler that notes the names of what is not set. */
type Filling = (unset: Set<string>) => Fill;
type Env = Readonly<Record<string, string | undefined>>;
type Named = { servers: Readonly<Record<string, McpServer>>; source: string };

const TIMEOUT_MS = 60_000;

/**
 * The servers of a workspace. Of one name, that of the person counts, then that of the project, then those of clients in
 * the order in which they came. What a client names is taken by the letter: variables are the client's to fill in.
 */
export function serverDefinitions(user: Named, project: Named, lent: readonly Named[], workspace: string, env: Env): ServerDefinition[] {
  const filling: Filling = (unset) => (text) => fill(text, env, unset);
  const all = [
    ...ofScope("user", user, workspace, filling),
    ...ofScope("project", project, workspace, filling),
    ...lent.flatMap((named) => ofScope("client", named, workspace, () => (text) => text)),
  ];
  const taken = new Set<string>();
  return all.filter(({ name }) => !taken.has(name) && taken.add(name));
}

function ofScope(scope: ServerDefinition["scope"], { servers, source }: Named, workspace: string, filling: Filling): ServerDefinition[] {
  return Object.entries(servers).map(([name, server]) => {
    const { timeoutMs = TIMEOUT_MS, disabled = false, env = {}, headers = {} } = server;
    const unset = new Set<string>();
    const launch = launchOf(server, workspace, filling(unset));
    const given = launch.kind === "stdio" ? env : headers;
    const written = launchOf(server, workspace, (text) => text);
    return { name, scope, source, launch, written, given, timeoutMs, disabled, unset: [...unset] };
  });
}

function launchOf(
  { command, args = [], env: given = {}, cwd, url, headers = {}, type }: McpServer,
  workspace: string,
  filled: Fill,
): Launch {
  if (url !== undefined) return { kind: "http", url: filled(url), headers: mapValues(headers, filled), sse: type === "sse" };
  return {
    kind: "stdio",
    command: filled(command ?? ""),
    args: args.map(filled),
    env: mapValues(given, filled),
    cwd: path.resolve(workspace, cwd === undefined ? "." : filled(cwd)),
  };
}

const mapValues = (record: Readonly<Record<string, string>>, by: (value: string) => string): Record<string, string> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, by(value)]));

const VARIABLE = /\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}|\{env:([A-Za-z_]\w*)\}/g;

/** Variables of the environment in a value; one that is not set is empty, or what is given instead. */
const fill = (text: string, env: Env, unset: Set<string>): string =>
  text.replaceAll(VARIABLE, (_, named: string | undefined, instead: string | undefined, other: string | undefined) => {
    const name = named ?? other ?? "";
    const value = env[name] ?? instead;
    if (value === undefined) unset.add(name);
    return value ?? "";
  });

/** What is said of them; undefined where there are none. */
export const unsetVariablesText = ({ unset }: ServerDefinition): string | undefined =>
  unset.length === 0 ? undefined : `Not set where the daemon was started, so empty: ${unset.join(", ")}.`;

/** What is started or called, without what it is given besides. */
export function launchText(launch: Launch): string {
  switch (launch.kind) {
    case "stdio":
      return [launch.command, ...launch.args].map(shellQuoted).join(" ");
    case "http":
      return /\s/.test(launch.url) ? JSON.stringify(launch.url) : launch.url;
  }
}

/** A word as a shell would take it: in quotes, and on one line, unless it is plain. */
export const shellQuoted = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : JSON.stringify(word));

/**
 * Names the launch: changes with the command, its arguments, its folder, its address, and with each value that it is given as
 * that is written. What a variable of this machine holds does not count: another variable in its place does.
 */
export function launchHash({ launch, given }: ServerDefinition): string {
  const place = launch.kind === "stdio" ? { command: launch.command, args: launch.args, cwd: launch.cwd } : { url: launch.url };
  return hashJson({ ...place, given });
}

/** Changes with every setting, also with the values of secrets and with whose server it is: another connection is needed then. */
export const settingsHash = ({ scope, launch, given, timeoutMs }: ServerDefinition): string =>
  hashJson({ scope, launch, given, timeoutMs });

export const hashJson = (value: unknown): string => hash("sha256", canonicalJson(value));

/** JSON in which the order of keys does not matter: the same value always gives the same text. */
function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const entries = Object.entries(value)
    .filter(([, of]) => of !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, of]) => `${JSON.stringify(key)}:${canonicalJson(of)}`).join(",")}}`;
}
