import path from "node:path";
import envPaths from "env-paths";
import { managedFile, stateFolder } from "../system/platform/folders.ts";
import { currentPlatform } from "../system/platform/platform.ts";

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
  /** The prices and sizes of models that the user loaded. */
  modelCatalog: string;
  lock: string;
  blobs: string;
  /** The output of commands that are running. */
  outputs: string;
  logFile: string;
  compileCache: string;
  /** The indexes of the code of workspaces. */
  codeIndex: string;
};

/** Computes the paths from the environment. Creates no folder. */
export function batonPaths(env: Record<string, string | undefined>): BatonPaths {
  const home = env["BATON_HOME"];
  const own = home ? { config: home, data: home, log: path.join(home, "log") } : envPaths("baton", { suffix: "" });
  const config = path.resolve(own.config);
  const platform = currentPlatform();
  const state = path.resolve(home ? own.data : stateFolder(env, own.data, platform));
  const log = path.resolve(own.log);
  return {
    config,
    state,
    log,
    configFile: path.join(config, "config.jsonc"),
    managedFile: managedFile(env, platform),
    database: path.join(state, "baton.db"),
    places: path.resolve(home ? `${home}-places` : envPaths("baton-places", { suffix: "" }).data),
    backups: path.join(state, "backups"),
    discovery: path.join(state, "daemon.json"),
    machine: path.join(state, "machine.json"),
    modelCatalog: path.join(state, "model-catalog.json"),
    lock: path.join(state, "daemon.lock"),
    blobs: path.join(state, "blobs"),
    outputs: path.join(state, "outputs"),
    logFile: path.join(log, "daemon.log"),
    compileCache: path.join(state, "compile-cache"),
    codeIndex: path.join(state, "code-index"),
  };
}
