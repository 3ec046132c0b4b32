import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { homedir, userInfo } from "node:os";
import path from "node:path";
import { batonPaths, daemonEnv, daemonProgram, findDaemon } from "@baton/daemon/client";
import { CommandExit, EXIT_CODES } from "../../connection/exit-codes.ts";
import { stopDaemon } from "../daemon/daemon.ts";
import { printJson, printLines } from "../output.ts";
import { serviceDefinition, type ServiceDefinition } from "./service-definition.ts";

type Options = { json?: boolean };

/** Variables that the daemon needs and a service manager does not set. Keys are not among them: a unit file is no place for secrets. */
const PASSED = ["PATH", "LANG", "LC_ALL", "BATON_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME", "SHELL"];

/** Installs the daemon as a service of the user and starts it. A running daemon is replaced; its open requests are kept. */
export async function installService({ json = false }: Options): Promise<void> {
  const service = definition();
  const wasInstalled = service.file !== undefined && isInstalled(service);
  if (service.file) {
    mkdirSync(path.dirname(service.file.path), { recursive: true });
    writeFileSync(service.file.path, service.file.text);
  }
  await stopDaemon({ silent: true });
  for (const command of service.start) {
    const problem = run(command);
    if (problem === undefined) continue;
    if (!wasInstalled) uninstallService({ silent: true });
    throw new CommandExit(
      `${service.manager} did not start the service: ${problem}. ${wasInstalled ? "The definition is updated" : "Nothing was installed"}. Without a service, any client starts the daemon.`,
      EXIT_CODES.failed,
    );
  }
  const daemon = await waitForDaemon();
  if (json) return printJson({ installed: true, manager: service.manager, file: service.file?.path, running: daemon });
  printLines([
    `${wasInstalled ? "Updated" : "Installed"} the ${service.manager} service${service.file ? ` ${service.file.path}` : ""}.`,
    daemon ? "The daemon is running and starts again with your next login." : "The service starts, but the daemon does not answer yet.",
    ...(service.hint !== undefined && !isLingering() ? [service.hint] : []),
    "The service does not see keys in your shell's environment. Store them once: baton auth login PROVIDER",
  ]);
}

/** Prints whether the service is installed and runs. Exits with 5 if it does not run. */
export async function serviceStatus({ json = false }: Options): Promise<void> {
  const service = definition();
  const [installed, active] = [isInstalled(service), succeeds(service.state)];
  const isRunning = (await findDaemon(batonPaths(process.env).discovery)) !== undefined;
  if (json) printJson({ manager: service.manager, installed, active, daemon: isRunning });
  else
    printLines([
      installed ? `The ${service.manager} service is installed and ${active ? "running" : "not running"}.` : "No service is installed.",
      ...(isRunning && !active ? ["A daemon is running that a client started."] : []),
      ...(installed ? [] : ["Install it: baton service install"]),
    ]);
  if (!active) throw new CommandExit("", EXIT_CODES.noDaemon);
}

/** Stops and removes the service. Sessions are kept. */
export function uninstallService({ json = false, silent = false }: Options & { silent?: boolean }): void {
  const service = silent ? findDefinition() : definition();
  if (!service) return;
  const installed = isInstalled(service);
  if (installed) for (const [program = "", ...args] of service.stop) spawnSync(program, args, { stdio: "ignore" });
  if (service.file) rmSync(service.file.path, { force: true });
  if (silent) return;
  if (json) printJson({ removed: installed });
  else printLines([installed ? "Removed the service. Any client starts the daemon when it needs it." : "No service is installed."]);
}

/** The service of this user, or an error that says what to do instead. */
function definition(): ServiceDefinition {
  const found = findDefinition();
  if (found) return found;
  throw new CommandExit(
    `Baton knows no service manager on ${process.platform}. Start the daemon yourself: baton daemon run`,
    EXIT_CODES.failed,
  );
}

function findDefinition(): ServiceDefinition | undefined {
  const { username, uid } = userInfo();
  const variables = Object.fromEntries(
    PASSED.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name] ?? ""]])),
  );
  return serviceDefinition(process.platform, {
    node: process.execPath,
    program: daemonProgram(),
    home: homedir(),
    user: username,
    uid,
    logFile: batonPaths(process.env).logFile,
    variables: { ...variables, ...daemonEnv },
  });
}

const isInstalled = ({ file, state }: ServiceDefinition): boolean => (file ? existsSync(file.path) : succeeds(state));

function succeeds([program = "", ...args]: string[]): boolean {
  return spawnSync(program, args, { stdio: "ignore" }).status === 0;
}

/** Runs a command. Returns the reason if it failed. */
function run([program = "", ...args]: string[]): string | undefined {
  const { status, error, stderr } = spawnSync(program, args, { encoding: "utf8", stdio: ["ignore", "ignore", "pipe"] });
  return status === 0 ? undefined : `\`${[program, ...args].join(" ")}\` failed (${error ? error.message : stderr.trim()})`;
}

/** Whether systemd keeps the services of this user after logout. */
function isLingering(): boolean {
  return existsSync(path.join("/var/lib/systemd/linger", userInfo().username));
}

const READY_MS = 10_000;
const POLL_MS = 50;

async function waitForDaemon(): Promise<boolean> {
  const { discovery } = batonPaths(process.env);
  for (const until = performance.now() + READY_MS; performance.now() < until;) {
    if (await findDaemon(discovery)) return true;
    await new Promise((done) => setTimeout(done, POLL_MS));
  }
  return false;
}

/** Whether the user has installed a service that runs this program. An update must restart it as such. */
export function isServiceInstalled(): boolean {
  const file = findDefinition()?.file;
  return file !== undefined && existsSync(file.path) && readFileSync(file.path, "utf8").includes(daemonProgram());
}
