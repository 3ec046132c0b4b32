import path from "node:path";
import envPaths from "env-paths";

/** The paths of one user: below `BATON_HOME` if it is set, otherwise in the platform's standard folders. */
export type BatonPaths = {
  config: string;
  state: string;
  log: string;
  configFile: string;
  /** The rules of a managed machine. The user's rules cannot exceed them. */
  managedFile: string;
  database: string;
  /** The folder of places: worktrees that Baton creates for sessions. It is none of the folders that are closed to agents. */
  places: string;
  /** Backups of the store. */
  backups: string;
  discovery: string;
  /** The file with the id of this machine. */
  machine: string;
  lock: string;
  blobs: string;
  logFile: string;
  compileCache: string;
};

/** Computes the paths from the environment. Creates no folder. */
export function batonPaths(env: Record<string, string | undefined>): BatonPaths {
  const home = env["BATON_HOME"];
  const own = home ? { config: home, data: home, log: path.join(home, "log") } : envPaths("baton", { suffix: "" });
  const config = path.resolve(own.config);
  const state = path.resolve(home ? own.data : stateFolder(env, own.data));
  const log = path.resolve(own.log);
  return {
    config,
    state,
    log,
    configFile: path.join(config, "config.jsonc"),
    managedFile: managedFile(env),
    database: path.join(state, "baton.db"),
    places: path.resolve(home ? `${home}-places` : envPaths("baton-places", { suffix: "" }).data),
    backups: path.join(state, "backups"),
    discovery: path.join(state, "daemon.json"),
    machine: path.join(state, "machine.json"),
    lock: path.join(state, "daemon.lock"),
    blobs: path.join(state, "blobs"),
    logFile: path.join(log, "daemon.log"),
    compileCache: path.join(state, "compile-cache"),
  };
}

/** The state folder, which env-paths lacks: `$XDG_STATE_HOME/baton` on Linux, the data folder elsewhere. */
function stateFolder(env: Record<string, string | undefined>, data: string): string {
  if (process.platform !== "linux") return data;
  return path.join(env["XDG_STATE_HOME"] ?? path.join(env["HOME"] ?? "/", ".local", "state"), "baton");
}

function managedFile(env: Record<string, string | undefined>): string {
  if (process.platform === "win32") return path.join(env["ProgramData"] ?? "C:\\ProgramData", "baton", "managed.jsonc");
  return process.platform === "darwin" ? "/Library/Application Support/baton/managed.jsonc" : "/etc/baton/managed.jsonc";
}
