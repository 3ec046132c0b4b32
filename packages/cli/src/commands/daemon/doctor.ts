import { spawnSync } from "node:child_process";
import { constants, accessSync, existsSync, statSync } from "node:fs";
import path from "node:path";
import { homedir } from "node:os";
import { connectTo, currentPlatform, findDaemon, batonPaths, type BatonPaths } from "@baton/daemon/client";
import { oneLine } from "@baton/core/text/sanitize";
import { hangingIndent, contentWidth, type TerminalStyle } from "../../render/layout.ts";
import { formatAge, shortenHome } from "@baton/core/text/format";
import { detectModelSources } from "./detect-model-sources.ts";
import type { Api } from "../../connection/daemon-connection.ts";
import { terminalStyle, printJson, printLines } from "../output.ts";
import { errorMessage } from "@baton/core/client/rpc-errors";
import { hasPosition, formatDiagnostic } from "../mode/format-diagnostic.ts";
import { findUnresponsiveDaemon } from "./daemon.ts";
import { isOtherBuild, BUILD_MISMATCH, VERSION } from "../../program/version.ts";
import { apiKeysUnknownToDaemon, unknownKeyText, type UnknownKey } from "../../connection/api-keys-unknown-to-daemon.ts";
import { EXIT_CODES } from "../../connection/exit-codes.ts";

/** One check: its state, and what to do about a problem. */
type Check = { name: string; state: "ok" | "note" | "problem"; message: string; fix?: string };

/** Checks everything that Baton needs. Exits with 1 if the user has to act. */
export async function doctor({ json = false }: { json?: boolean }): Promise<void> {
  const paths = batonPaths(process.env);
  const daemonResult = await daemonChecks(paths);
  const isFaulty = daemonResult.checks.some(({ name }) => name === "config");
  const configChecks = isFaulty ? [] : [configCheck(paths)]; // its diagnostics name the file
  const checks = [
    nodeCheck(),
    homeCheck(paths),
    ...configChecks,
    ...daemonResult.checks,
    ...(await modelChecks(daemonResult.unknownKeys)),
    ...programChecks(),
  ];
  if (json) printJson({ version: VERSION, checks });
  else printLines(checkLines(checks, terminalStyle()));
  if (checks.some(({ state }) => state === "problem")) process.exitCode = EXIT_CODES.failed;
}

const MARKS: Record<Check["state"], string> = { ok: "✓", note: "–", problem: "✗" };

/** One line for each check, and below it the remedy. Checks with the same remedy show it once. */
function checkLines(checks: readonly Check[], style: TerminalStyle): string[] {
  const { ansi } = style;
  return checks.flatMap(({ name, state, message, fix }, i) => {
    const isRepeated = checks.slice(i + 1).some((later) => later.fix === fix);
    const paint = state === "problem" ? ansi.failure : ansi.dim;
    return [
      ...hangingIndent(oneLine(message), `  ${paint(MARKS[state])} ${name.padEnd(11)} `, contentWidth(style)),
      ...(fix === undefined || isRepeated ? [] : hangingIndent(ansi.bold(fix), " ".repeat(16), contentWidth(style))),
    ];
  });
}

const NEEDED: [number, number] = [24, 15];

function nodeCheck(): Check {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const enough = major > NEEDED[0] || (major === NEEDED[0] && minor >= NEEDED[1]);
  return {
    name: "node",
    state: enough ? "ok" : "problem",
    message: `Node ${process.versions.node}, baton ${VERSION}`,
    ...(enough ? {} : { fix: "Install Node 24.15 or newer: https://nodejs.org" }),
  };
}

const displayPath = (file: string) => shortenHome(file, homedir());

function homeCheck({ config, state, log }: BatonPaths): Check {
  const writable = nearestWritable(state);
  return {
    name: "places",
    state: writable ? "ok" : "problem",
    message: config === state ? displayPath(config) : `config ${displayPath(config)}, state ${displayPath(state)}, log ${displayPath(log)}`,
    ...(writable ? {} : { fix: `Baton cannot write to ${displayPath(state)}. Change its owner, or set BATON_HOME.` }),
  };
}

const configCheck = ({ configFile }: BatonPaths): Check =>
  existsSync(configFile)
    ? { name: "config", state: "ok", message: displayPath(configFile) }
    : { name: "config", state: "note", message: `${displayPath(configFile)} does not exist; Baton uses the defaults` };

/** A missing folder can be created if its nearest existing parent is writable. */
function nearestWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return statSync(folder).isDirectory();
  } catch {
    const parent = path.dirname(folder);
    return !existsSync(folder) && parent !== folder && nearestWritable(parent);
  }
}

/** `stranded` are keys of this environment that the daemon does not have. */
type DaemonChecks = { checks: Check[]; unknownKeys: readonly UnknownKey[] };

async function daemonChecks(paths: BatonPaths): Promise<DaemonChecks> {
  const found = await findDaemon(paths.discovery);
  const unresponsive = found ? undefined : findUnresponsiveDaemon(paths);
  if (unresponsive) return { checks: [{ name: "daemon", state: "problem", message: unresponsive.message }], unknownKeys: [] };
  if (!found) {
    const check: Check = {
      name: "daemon",
      state: "note",
      message: "not running; any client starts it",
      fix: "Run `baton daemon start`; `baton doctor` then also checks config and model.",
    };
    return { checks: [check], unknownKeys: [] };
  }
  try {
    const connection = connectTo(found, { client: "cli", discoveryFile: paths.discovery });
    try {
      const unknownKeys = await apiKeysUnknownToDaemon(connection.api, process.env);
      return { checks: await checkDaemon(connection.api), unknownKeys };
    } finally {
      await connection.close();
    }
  } catch (error) {
    return { checks: [{ name: "daemon", state: "problem", message: errorMessage(error), fix: "`baton daemon restart`" }], unknownKeys: [] };
  }
}

const MODEL_HELP = "`baton help provider-keys` and `baton help local-model` show how to connect a model.";

async function checkDaemon(api: Api): Promise<Check[]> {
  const [status, model, keys, languages, environment] = await Promise.all([
    api.daemon.status.query({ cwd: process.cwd() }),
    api.daemon.model.query({}),
    api.auth.list.query(),
    api.daemon.languageServers.query({ cwd: process.cwd() }),
    api.workspace.environment.query({ cwd: process.cwd() }).catch(() => NO_ENVIRONMENT), // a daemon of an earlier version does not know it
  ]);
  const { version, pid, port, startedAt, memory, diagnostics, engine, noTerminals } = status;
  const same = version === VERSION;
  const rebuilt = isOtherBuild(status);
  return [
    {
      name: "daemon",
      state: same && !rebuilt ? "ok" : "problem",
      message: `version ${version}, pid ${pid}, port ${port}, for ${formatAge(Date.now() - startedAt)}, ${Math.round(memory / 1024 / 1024)} MB`,
      ...(same ? {} : { fix: "The daemon has another version. Run `baton daemon restart`; open requests are kept." }),
      ...(rebuilt ? { fix: BUILD_MISMATCH } : {}),
    },
    ...(engine === null
      ? []
      : [
          {
            name: "store",
            state: engine.caution === null ? "ok" : "note",
            message: `SQLite ${engine.sqlite} ${engine.caution ?? ""}`,
          } as const,
        ]),
    ...diagnostics.map((diagnostic, i): Check => {
      const isLast = !diagnostics.slice(i + 1).some(hasPosition);
      return {
        name: hasPosition(diagnostic) ? "config" : "store",
        state: diagnostic.severity === "error" ? "problem" : "note",
        message: formatDiagnostic(diagnostic),
        ...(hasPosition(diagnostic) && isLast
          ? { fix: "Fix it there; the daemon reloads the file. `baton help reference/settings` lists all settings." }
          : {}),
      };
    }),
    ...keys
      .filter(({ place }) => place !== "environment")
      .map(({ provider, place }): Check => ({
        name: "key",
        state: "ok",
        message: `of ${provider}, in ${place === "file" ? "keys.json" : "the keychain"}`,
      })),
    model.problem === null
      ? { name: "model", state: "ok", message: model.id ?? "" }
      : { name: "model", state: "problem", message: model.problem, fix: MODEL_HELP },
    ...(noTerminals === undefined ? [] : [{ name: "terminals", state: "note", message: noTerminals } as const]),
    ...languageChecks(languages),
    ...environmentChecks(environment),
  ];
}

/** The language servers that can check edits in this folder. */
function languageChecks({ trusted, servers }: Awaited<ReturnType<Api["daemon"]["languageServers"]["query"]>>): Check[] {
  const help = "`baton help diagnostics` lists the servers that Baton knows.";
  if (servers.length === 0)
    return [{ name: "language", state: "note", message: "no language server found; edits are not checked", fix: help }];
  const untrusted = trusted ? "" : "; this folder is not trusted, so it is not started here";
  return servers.map(({ name, file }): Check => ({
    name: "language",
    state: trusted ? "ok" : "note",
    message: `${name}: ${displayPath(file)}${untrusted}`,
  }));
}

type Environment = Awaited<ReturnType<Api["workspace"]["environment"]["query"]>>;
const NO_ENVIRONMENT: Environment = { tools: [], variables: [], problems: [] };

/** The tools that keep an environment for this folder. */
function environmentChecks({ tools, problems }: Environment): Check[] {
  return [
    ...tools.map(({ tool, source, status }): Check => ({
      name: "environment",
      state: status === "used" ? "ok" : "note",
      message: `${tool} (${source}): ${status}`,
      ...(status === "not chosen" || status === "waits for approval"
        ? { fix: "`baton environment use` lets commands of agents use it." }
        : {}),
    })),
    ...problems.map((message): Check => ({ name: "environment", state: "note", message })),
  ];
}

async function modelChecks(unknownKeys: readonly UnknownKey[]): Promise<Check[]> {
  const isStranded = (name: string) => unknownKeys.some((each) => each.name === name);
  const { keys, servers } = await detectModelSources(process.env);
  const found: Check[] = [
    ...keys.map(({ name, provider }): Check =>
      isStranded(name)
        ? { name: "key", state: "problem", message: unknownKeyText({ name, provider }) }
        : { name: "key", state: "ok", message: `${name} is set: "model": "${provider}/<model>"` },
    ),
    ...servers.map(({ name, url, models }): Check => ({
      name: "server",
      state: "ok",
      message: `${name} at ${url}${models[0] === undefined ? "" : `: "model": "${name}/${models[0]}"`}`,
    })),
  ];
  return found.length > 0
    ? found
    : [
        {
          name: "providers",
          state: "note",
          message: "no API key in the environment, no model server on ports 11434, 1234, 8080, 8000",
          fix: MODEL_HELP,
        },
      ];
}

type Program = { name: string; arguments: string[]; needed: boolean; without: string };

const PROGRAMS: readonly Program[] = [
  { name: "git", arguments: ["--version"], needed: false, without: "not found; the branch is not shown and agents cannot use git" },
  { name: "rg", arguments: ["--version"], needed: false, without: "not in PATH; the daemon uses its own" },
  // On Windows, commands run in PowerShell or cmd.
  ...(currentPlatform() === "windows"
    ? []
    : [{ name: "bash", arguments: ["--version"], needed: true, without: "not found; agents need it to run commands. Install bash." }]),
];

/** Tries to start a sandbox, because the version alone does not tell whether the system allows it. */
const INSIDE = ["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--unshare-pid", "--die-with-parent", "true"];

function sandboxCheck(): Check {
  const { error, status, stderr } = spawnSync("bwrap", INSIDE, { encoding: "utf8", timeout: 5_000 });
  if (error)
    return {
      name: "sandbox",
      state: "note",
      message: "bubblewrap is not installed, so Baton asks about more commands. Install it, then run `baton daemon restart`",
    };
  if (status !== 0)
    return {
      name: "sandbox",
      state: "note",
      message: `bubblewrap does not work here, so Baton asks about more commands: ${stderr.trim().split("\n", 1)[0] ?? ""}`,
    };
  return { name: "sandbox", state: "ok", message: "bubblewrap works; commands that stay inside run without a question" };
}

function programChecks(): Check[] {
  const programs = PROGRAMS.map(({ name, arguments: args, needed, without }): Check => {
    const { stdout, status } = spawnSync(name, args, { encoding: "utf8", timeout: 5_000 });
    if (status === 0) return { name, state: "ok", message: stdout.split("\n", 1)[0] ?? "" };
    return { name, state: needed ? "problem" : "note", message: without };
  });
  return [...programs, sandboxCheck()];
}
