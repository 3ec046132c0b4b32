import { createHash } from "node:crypto";
import path from "node:path";
import type { McpServer } from "@baton/core/protocol/mcp";
import { canonical } from "./canonical.ts";

/** A server that a person or a project has named. `source` is the file that names it. */
export type Definition = {
  name: string;
  scope: "user" | "project";
  source: string;
  launch: Launch;
  timeoutMs: number;
  disabled: boolean;
};

export type Launch =
  | { kind: "stdio"; command: string; args: readonly string[]; env: Readonly<Record<string, string>>; cwd: string }
  | { kind: "http"; url: string; headers: Readonly<Record<string, string>>; sse: boolean };

type Env = Readonly<Record<string, string | undefined>>;
type Named = { servers: Readonly<Record<string, McpServer>>; source: string };

const TIMEOUT_MS = 60_000;

/** The servers of a workspace. One that a person has named hides one of the same name that the project names. */
export function definitionsOf(user: Named, project: Named, workspace: string, env: Env): Definition[] {
  const own = Object.entries(user.servers).map(([name, server]) => definitionOf(name, "user", server, user.source, workspace, env));
  const theirs = Object.entries(project.servers)
    .filter(([name]) => !Object.hasOwn(user.servers, name))
    .map(([name, server]) => definitionOf(name, "project", server, project.source, workspace, env));
  return [...own, ...theirs];
}

function definitionOf(
  name: string,
  scope: Definition["scope"],
  server: McpServer,
  source: string,
  workspace: string,
  env: Env,
): Definition {
  const { timeoutMs = TIMEOUT_MS, disabled = false } = server;
  return { name, scope, source, launch: launchOf(server, workspace, env), timeoutMs, disabled };
}

function launchOf({ command, args = [], env: given = {}, cwd, url, headers = {}, type }: McpServer, workspace: string, env: Env): Launch {
  const filled = (text: string) => fill(text, env);
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
const fill = (text: string, env: Env): string =>
  text.replaceAll(VARIABLE, (_, name: string | undefined, instead: string | undefined, other: string | undefined) =>
    name === undefined ? (env[other ?? ""] ?? "") : (env[name] ?? instead ?? ""),
  );

/** What is started or called, without secrets: what a person approves. */
export function launchText(launch: Launch): string {
  switch (launch.kind) {
    case "stdio":
      return [launch.command, ...launch.args].map(quoted).join(" ");
    case "http":
      return launch.url;
  }
}

const quoted = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : JSON.stringify(word));

/** Names, not values, of what a server is given besides: variables of its environment, or headers. */
export const secretNames = (launch: Launch): string[] => Object.keys(launch.kind === "stdio" ? launch.env : launch.headers).sort();

/** Names the launch: changes with the command, its arguments, its folder, its address and the names of what it is given. */
export function launchHash(launch: Launch): string {
  const place = launch.kind === "stdio" ? { command: launch.command, args: launch.args, cwd: launch.cwd } : { url: launch.url };
  return hashOf({ ...place, given: secretNames(launch) });
}

/** Changes with every setting, also with the values of secrets: another connection is needed then. */
export const settingsHash = ({ launch, timeoutMs }: Definition): string => hashOf({ launch, timeoutMs });

export const hashOf = (value: unknown): string => createHash("sha256").update(canonical(value)).digest("hex");
