import { spawnSync } from "node:child_process";
import { existsSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { batonPaths, currentPlatform, findDaemon, npmProgram } from "@baton/daemon/client";
import { openDaemonConnection } from "../../connection/daemon-connection.ts";
import { usageError } from "../../connection/exit-codes.ts";
import { stopDaemon } from "../daemon/daemon.ts";
import { printJson, printLines } from "../output.ts";
import { confirm } from "../terminal-prompts.ts";
import { currentInstallation, PACKAGE, type Installation } from "./installation.ts";
import { filesOfBaton, removeFilesOfBaton, removeIfEmpty } from "./baton-files.ts";
import { uninstallService } from "./service.ts";

export type UninstallOptions = { keepSessions?: boolean; yes?: boolean; json?: boolean };

/** Removes Baton from this machine: service, daemon, stored keys, sessions, config and program. `keepSessions` leaves sessions, keys and config. */
export async function uninstall({ keepSessions = false, yes = false, json = false }: UninstallOptions): Promise<void> {
  const installation = currentInstallation();
  const paths = batonPaths(process.env);
  const folders = [...new Set([paths.state, paths.log, paths.config])].filter(existsSync);
  const removed = keepSessions ? [] : folders;
  const shared = removed.find((folder) => [homedir(), process.cwd()].some((other) => contains(folder, other)));
  if (shared !== undefined)
    throw usageError(`Baton's folder ${shared} also contains other files, so nothing was removed. Delete Baton's files in it yourself.`);
  const program = programText(installation);
  if (!yes) {
    if (!process.stdin.isTTY) throw usageError("This is not a terminal. Pass --yes to confirm.");
    printLines([
      "This removes:",
      `  the daemon and its service`,
      ...removed.map((folder) => `  Baton's files in ${folder}${folder === paths.state ? " (all sessions)" : ""}`),
      ...(keepSessions ? [] : ["  the keys of providers that Baton stored"]),
      `  ${program.about}`,
      ...staysLines(keepSessions ? [] : filesOfBaton(paths).others),
      ...(keepSessions
        ? [`These stay: ${folders.join(", ")}`]
        : ["It cannot be undone. `baton uninstall --keep-sessions` keeps your data."]),
    ]);
    if (!(await confirm("Uninstall Baton?"))) return;
  }
  if (!keepSessions) await forgetKeys();
  uninstallService({ silent: true });
  await stopDaemon({ silent: true });
  const others = keepSessions ? [] : removeFilesOfBaton(paths);
  const isRemoved = program.remove();
  if (json) return printJson({ removed, kept: keepSessions ? folders : others, program: isRemoved });
  printLines([
    isRemoved ? "Baton is uninstalled." : `Baton's data is removed. Remove the program yourself: ${program.about}`,
    ...(keepSessions ? [`Your sessions, keys and config are in ${folders.join(" and ")}.`] : []),
    ...staysLines(others),
    "Folders named .baton in your repositories belong to those repositories and stay.",
  ]);
}

const staysLines = (files: readonly string[]): string[] =>
  files.length === 0 ? [] : ["These files are not Baton's and stay:", ...files.map((file) => `  ${file}`)];

/** Whether `other` is this folder or below it. A folder that `BATON_HOME` names may be the home of the user. */
function contains(folder: string, other: string): boolean {
  const relative = path.relative(folder, other);
  return !path.isAbsolute(relative) && relative.split(path.sep)[0] !== "..";
}

/** How the program itself is removed. */
function programText(installation: Installation): { about: string; remove: () => boolean } {
  if (installation.kind !== "npm") return { about: installation.root, remove: () => false };
  const { prefix, root } = installation;
  const npm = npmProgram(currentPlatform());
  return {
    about: `the package ${PACKAGE} in ${prefix}`,
    remove: () => {
      rmSync(path.join(path.dirname(root), ".baton-previous"), { recursive: true, force: true });
      const { status } = spawnSync(npm, ["uninstall", "--global", "--prefix", prefix, PACKAGE], { stdio: "ignore" });
      removeIfEmpty(path.dirname(root)); // npm leaves the folder of the scope
      return status === 0;
    },
  };
}

/** Deletes the keys that Baton stored. Keys in the environment are not Baton's. */
async function forgetKeys(): Promise<void> {
  if (!(await findDaemon(batonPaths(process.env).discovery)) && !existsSync(batonPaths(process.env).state)) return;
  const link = await openDaemonConnection({ client: "cli" });
  try {
    for (const { provider, place } of await link.api.auth.list.query())
      if (place !== "environment") await link.api.auth.logout.mutate({ provider });
  } finally {
    await link.close();
  }
}
