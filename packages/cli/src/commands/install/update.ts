import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { batonPaths, currentPlatform, findDaemon, npmProgram } from "@baton/daemon/client";
import { CommandExit, EXIT_CODES, usageError } from "../../connection/exit-codes.ts";
import { VERSION } from "../../program/version.ts";
import { endDaemon } from "../daemon/daemon.ts";
import { copyStore, restoreStore } from "../daemon/database.ts";
import { printJson, printLines } from "../output.ts";
import { currentInstallation, PACKAGE, type Installation } from "./installation.ts";
import { isServiceInstalled } from "./service.ts";

export type UpdateOptions = { rollback?: boolean; restore?: boolean; json?: boolean };

type NpmInstallation = Extract<Installation, { kind: "npm" }>;

/** The record of the last update, for a rollback. `backup`: the store before the update, null if there was none. */
type UpdateRecord = { from: string; to: string; backup: string | null; at: number };

/**
 * Updates this installation. The new version is installed beside the old one first, so that an interruption changes nothing. Then the daemon
 * stops after its running calls, the store is copied, both folders change places, and the new daemon continues. If it does not start, the
 * old version and the old store return.
 */
export async function update(
  version: string | undefined,
  { rollback = false, restore = false, json = false }: UpdateOptions,
): Promise<void> {
  const installation = requireNpm(currentInstallation());
  if (rollback) return rollBack(installation, { restore, json });
  const staged = stage(installation, version ?? "latest");
  try {
    const to = versionOf(staged.root);
    if (to === VERSION && version === undefined) {
      if (json) return printJson({ updated: false, version: VERSION });
      return printLines([`Baton ${VERSION} is the newest version.`]);
    }
    const record = await switchTo(installation, staged.root, to);
    if (json) printJson({ updated: true, ...record });
    else
      printLines([
        `Updated Baton from ${record.from} to ${to}. Open requests are kept.`,
        "`baton update --rollback` returns to the previous version.",
      ]);
  } finally {
    rmSync(staged.prefix, { recursive: true, force: true });
  }
}

function requireNpm(installation: Installation): NpmInstallation {
  switch (installation.kind) {
    case "npm":
      return installation;
    case "checkout":
      throw usageError(
        `Baton runs from the checkout ${installation.root}. Update it with \`git pull\`, then run \`npm start -- daemon restart\`.`,
      );
    case "other":
      throw usageError(
        `Another program manages this installation (${installation.root}). Update ${PACKAGE} with it, then run \`baton daemon restart\`.`,
      );
  }
}

const previousOf = ({ root }: NpmInstallation): string => path.join(path.dirname(root), ".baton-previous");
const STAGED = ".baton-update-";

/** Installs a version, or a tarball, into a folder beside the current one. */
function stage(installation: NpmInstallation, version: string): { prefix: string; root: string } {
  if (version.endsWith(".tgz") && !existsSync(version)) throw usageError(`There is no file ${version}.`);
  const scope = path.dirname(installation.root);
  const spec = version.endsWith(".tgz") ? path.resolve(version) : `${PACKAGE}@${version}`;
  const prefix = makeStagingFolder(scope);
  const npm = npmProgram(currentPlatform());
  const args = ["install", "--global", "--prefix", prefix, "--no-fund", "--no-audit", "--loglevel=error", spec];
  const { status, error, stderr } = spawnSync(npm, args, { encoding: "utf8", stdio: ["ignore", "ignore", "pipe"] });
  const root = [path.join(prefix, "lib", "node_modules", PACKAGE), path.join(prefix, "node_modules", PACKAGE)].find(existsSync);
  if (status === 0 && root !== undefined) return { prefix, root };
  rmSync(prefix, { recursive: true, force: true });
  if (stderr.includes("E404"))
    throw new CommandExit(
      `The registry of npm has no ${spec}. Update from a file instead: baton update ./baton-cli-VERSION.tgz`,
      EXIT_CODES.failed,
    );
  const why = error ? error.message : stderr.trim();
  throw new CommandExit(`${spec} could not be installed, so nothing has changed.\n${why}`, EXIT_CODES.failed);
}

function makeStagingFolder(scope: string): string {
  try {
    for (const name of readdirSync(scope)) if (name.startsWith(STAGED)) rmSync(path.join(scope, name), { recursive: true, force: true });
    return mkdtempSync(path.join(scope, STAGED));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new CommandExit(`Baton cannot write to ${scope} (${why}). Run the update as the user who installed Baton.`, EXIT_CODES.failed);
  }
}

/** The version that an installation prints. Throws if it does not run. */
function versionOf(root: string): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [path.join(root, "bin", "baton.cjs"), "--version"], { encoding: "utf8" });
  if (status === 0) return stdout.trim();
  throw new CommandExit(`The new version does not run here, so nothing has changed.\n${stderr.trim()}`, EXIT_CODES.failed);
}

async function switchTo(installation: NpmInstallation, staged: string, to: string): Promise<UpdateRecord> {
  const paths = batonPaths(process.env);
  const running = await findDaemon(paths.discovery);
  if (running) await endDaemon(running, paths.discovery);
  const backup = existsSync(paths.database) ? await copyStore(path.join(paths.backups, `before-update-${VERSION}-${Date.now()}.db`)) : null;
  const previous = previousOf(installation);
  rmSync(previous, { recursive: true, force: true });
  exchange(installation.root, previous, staged);
  const record: UpdateRecord = { from: VERSION, to, backup, at: Date.now() };
  const why = startDaemonOf(installation.root);
  if (why === undefined) {
    writeFileSync(recordFile(), JSON.stringify(record));
    return record;
  }
  exchange(installation.root, staged, previous);
  if (backup !== null) await restoreStore(backup);
  if (running) startDaemonOf(installation.root);
  throw new CommandExit(`Version ${to} does not start here, so version ${VERSION} is back.\n${why}`, EXIT_CODES.failed);
}

/** Moves the folder at `root` to `aside`, and `replacement` to `root`. Nothing can run between the two renames. */
function exchange(root: string, aside: string, replacement: string): void {
  renameSync(root, aside);
  try {
    renameSync(replacement, root);
  } catch (error) {
    renameSync(aside, root);
    throw error;
  }
}

/** Starts the daemon of an installation, as the service if there is one. Returns the reason if it does not start. */
function startDaemonOf(root: string): string | undefined {
  const command = isServiceInstalled() ? ["service", "install"] : ["daemon", "start"];
  const { status, stderr } = spawnSync(process.execPath, [path.join(root, "bin", "baton.cjs"), ...command], { encoding: "utf8" });
  return status === 0 ? undefined : stderr.trim();
}

const recordFile = (): string => path.join(batonPaths(process.env).state, "update.json");

async function rollBack(installation: NpmInstallation, { restore, json }: { restore: boolean; json: boolean }): Promise<void> {
  const previous = previousOf(installation);
  if (!existsSync(previous)) throw usageError("There is no previous version. `baton update VERSION` installs any version.");
  const record = readRecord();
  const paths = batonPaths(process.env);
  const running = await findDaemon(paths.discovery);
  if (running) await endDaemon(running, paths.discovery);
  const aside = mkdtempSync(path.join(path.dirname(installation.root), STAGED));
  const current = path.join(aside, "current");
  exchange(installation.root, current, previous);
  const replaced = restore && record?.backup ? await restoreStore(record.backup) : null;
  const why = startDaemonOf(installation.root);
  if (why !== undefined) {
    exchange(installation.root, previous, current);
    rmSync(aside, { recursive: true, force: true });
    startDaemonOf(installation.root);
    throw new CommandExit(
      `The previous version does not start, so version ${VERSION} is back.\n${why}\nIf the store is too new for it, \`baton update --rollback --restore\` also restores the copy from before the update.`,
      EXIT_CODES.failed,
    );
  }
  renameSync(current, previous);
  rmSync(aside, { recursive: true, force: true });
  const version = versionOf(installation.root);
  if (json) return printJson({ rolledBack: true, version, from: VERSION, replaced });
  printLines([
    `Version ${version} is back.`,
    ...(replaced === null ? [] : [`The store from before the update is restored. The newer one is kept: ${replaced}`]),
  ]);
}

function readRecord(): UpdateRecord | undefined {
  try {
    return JSON.parse(readFileSync(recordFile(), "utf8")) as UpdateRecord; // written above
  } catch {
    return undefined; // there was no update
  }
}
