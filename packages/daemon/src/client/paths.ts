import path from "node:path";
import envPaths from "env-paths";

/** Where everything of one user lies. With `BATON_HOME` all of it under that one folder, else in the platform's own folders. */
export type BatonPaths = {
  config: string;
  state: string;
  log: string;
  configFile: string;
  /** Rules of whoever manages this machine; nothing a person says goes beyond them. */
  managedFile: string;
  database: string;
  /** Copies of the store. */
  backups: string;
  discovery: string;
  /** The id of this machine. */
  machine: string;
  lock: string;
  blobs: string;
  logFile: string;
  compileCache: string;
};

/** Reads the environment only; makes no folder. */
export function batonPaths(env: Record<string, string | undefined>): BatonPaths {
  const home = env["BATON_HOME"];
  const own = home ? { config: home, data: home, log: path.join(home, "log") } : envPaths("baton", { suffix: "" });
  const [config, state, log] = [
    path.resolve(own.config),
    path.resolve(home ? own.data : stateFolder(env, own.data)),
    path.resolve(own.log),
  ];
  return {
    config,
    state,
    log,
    configFile: path.join(config, "config.jsonc"),
    managedFile: managedFile(env),
    database: path.join(state, "baton.db"),
    backups: path.join(state, "backups"),
    discovery: path.join(state, "daemon.json"),
    machine: path.join(state, "machine.json"),
    lock: path.join(state, "daemon.lock"),
    blobs: path.join(state, "blobs"),
    logFile: path.join(log, "daemon.log"),
    compileCache: path.join(state, "compile-cache"),
  };
}

/** env-paths knows no state folder; on Linux it is `$XDG_STATE_HOME/baton`, elsewhere the data folder serves. */
function stateFolder(env: Record<string, string | undefined>, data: string): string {
  if (process.platform !== "linux") return data;
  return path.join(env["XDG_STATE_HOME"] ?? path.join(env["HOME"] ?? "/", ".local", "state"), "baton");
}

function managedFile(env: Record<string, string | undefined>): string {
  if (process.platform === "win32") return path.join(env["ProgramData"] ?? "C:\\ProgramData", "baton", "managed.jsonc");
  return process.platform === "darwin" ? "/Library/Application Support/baton/managed.jsonc" : "/etc/baton/managed.jsonc";
}
