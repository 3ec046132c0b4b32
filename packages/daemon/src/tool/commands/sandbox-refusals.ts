import path from "node:path";
import type { ProcessOutput } from "../../system/commands/background-commands.ts";
import type { CommandResult } from "../../system/commands/shell.ts";

/** A thing that a command in the sandbox wanted and did not get. */
type SandboxRefusal = { wanted: "read" | "write" | "see" | "host" | "service"; name: string } | { wanted: "network" };

const PATH = String.raw`(\/[^'"\n:]+?)`;

/** How programs report a file system that they may not write. Groups are paths. */
const READ_ONLY = [
  new RegExp(String.raw`EROFS: read-only file system, \w+ '${PATH}'`, "g"),
  new RegExp(String.raw`\[Errno 30\] Read-only file system: '${PATH}'`, "g"),
  new RegExp(String.raw`(?:^|[\s'\u2018])([^\s'"\u2018\u2019:]+)['\u2019]?: Read-only file system`, "gm"),
];

/** How programs report an absolute path that does not exist. The sandbox may hide it. Groups are paths. */
const MISSING = [
  new RegExp(String.raw`(?:^|[\s'\u2018"])(\/[^\s'"\u2018\u2019:]+)['\u2019"]?: (?:No such file or directory|Directory nonexistent)`, "gm"),
  new RegExp(String.raw`ENOENT: no such file or directory, \w+ '${PATH}'`, "g"),
  new RegExp(String.raw`No such file or directory: '${PATH}'`, "g"),
];

/** How git reports a hidden file that it cannot add. */
const HIDDEN = [/error: (\S+): can only add regular files/g];

const HOST = String.raw`((?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,})`;

/** How programs report a name that they could not resolve. Groups are hosts. */
const UNRESOLVED = [
  new RegExp(String.raw`Could not resolve host:? '?${HOST}`, "gi"),
  new RegExp(String.raw`getaddrinfo (?:ENOTFOUND|EAI_AGAIN) ${HOST}`, "gi"),
  new RegExp(String.raw`unable to resolve host address ['\u2018]?${HOST}`, "gi"),
  new RegExp(String.raw`lookup ${HOST}`, "gi"),
  new RegExp(String.raw`Failed to resolve '${HOST}'`, "gi"),
];

/** How programs report a service of the machine whose socket is not there. */
const SERVICES: readonly (readonly [RegExp, string])[] = [
  [/docker\.sock|Cannot connect to the Docker daemon/, "Docker"],
  [/Failed to connect to bus|D-Bus/i, "D-Bus"],
  [/(?:agent has no identities|Could not open a connection to your authentication agent)/, "the SSH agent"],
];

/** Folders that are the same in the sandbox. What is missing there is missing outside as well. */
const SHOWN = /^\/(?:usr|bin|sbin|lib\w*|opt|etc|nix|proc|dev|sys)(?:\/|$)/;

const NO_NETWORK = /Temporary failure in name resolution|Network is unreachable|ENETUNREACH|Name or service not known|Could not resolve/i;
const NO_WRITING = /Read-only file system|EROFS/i;

/** Reads from the output of a command in the folder `cwd` what the sandbox refused. */
export function sandboxRefusals(output: string, cwd: string): SandboxRefusal[] {
  const named = (patterns: readonly RegExp[]) =>
    new Set(patterns.flatMap((pattern) => Array.from(output.matchAll(pattern), ([, name = ""]) => name.trim())));
  const writes = Array.from(named(READ_ONLY), (name): SandboxRefusal => ({ wanted: "write", name }));
  const isOutside = (name: string) => !`${name}/`.startsWith(`${cwd}/`) && !SHOWN.test(name);
  const missing = Array.from(named(MISSING)).filter(isOutside);
  const sees = missing.map((name): SandboxRefusal => ({ wanted: "see", name }));
  const reads = Array.from(named(HIDDEN), (name): SandboxRefusal => ({ wanted: "read", name }));
  const hosts = Array.from(named(UNRESOLVED), (name): SandboxRefusal => ({ wanted: "host", name }));
  const network: SandboxRefusal[] = hosts.length === 0 && NO_NETWORK.test(output) ? [{ wanted: "network" }] : [];
  const unnamed: SandboxRefusal[] = writes.length === 0 && NO_WRITING.test(output) ? [{ wanted: "write", name: "a file" }] : [];
  const services = SERVICES.flatMap(([pattern, name]): SandboxRefusal[] => (pattern.test(output) ? [{ wanted: "service", name }] : []));
  return [...reads, ...sees, ...writes, ...unnamed, ...services, ...hosts, ...network].slice(0, MAX_NAMED);
}

const VERBS = { read: "read", write: "write", see: "see", host: "reach", service: "use" } as const;

const MAX_NAMED = 5;

/** One sentence about the refusals for the model, and the way to ask the user. Undefined without any. */
export function refusalText(refusals: readonly SandboxRefusal[]): string | undefined {
  if (refusals.length === 0) return undefined;
  const parts = refusals.map((refusal) => (refusal.wanted === "network" ? "use the network" : `${VERBS[refusal.wanted]} ${refusal.name}`));
  return `The sandbox did not let the command ${parts.join(", ")}. If it must, call run_command again with outside_sandbox, and Baton asks the user.`;
}

/**
 * A line about what the sandbox refused a command that runs or failed, by the newest part of its output. Empty if it refused nothing, or if
 * the command does not stay in the sandbox.
 */
export function refusedText(output: string, { contained, end }: Pick<ProcessOutput, "contained" | "end">, cwd: string): string {
  const text = contained && end?.exitCode !== 0 ? refusalText(sandboxRefusals(output, cwd)) : undefined;
  return text === undefined ? "" : `\n(${text})`;
}

/** Sentences about protected files that a command created, and about those that Baton removed. Undefined without any. */
export function createdText({ created, removed }: NonNullable<CommandResult["contained"]>, cwd: string): string | undefined {
  const sentences = [
    ...(created.length > 0 ? [`The command created ${namesOf(created, cwd)}. ${OTHERS_ACT}`] : []),
    ...(removed.length > 0 ? [`Baton removed ${namesOf(removed, cwd)}, because it would redirect git.`] : []),
  ];
  return sentences.length > 0 ? sentences.join(" ") : undefined;
}

/** Sentences about protected files that are new since a background command runs. Another program may have created them. */
export const createdMeanwhileText = (created: readonly string[], cwd: string): string =>
  `New since this command runs: ${namesOf(created, cwd)}. ${OTHERS_ACT}`;

const OTHERS_ACT = "Other programs act on such files, so the user should see them.";

const namesOf = (files: readonly string[], cwd: string): string =>
  files
    .slice(0, MAX_NAMED)
    .map((file) => path.relative(cwd, file))
    .join(", ");
