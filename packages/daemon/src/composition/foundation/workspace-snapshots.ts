import { pathGate } from "../../permission/path.ts";
import { systemFault } from "../../system/system-fault.ts";
import type { OpenPorts } from "../../system/open-system-ports.ts";
import type { WorkspaceSnapshots } from "../../session/session-dependencies.ts";

/** Contents of files by their path in a workspace. A path that the gate refuses has no snapshot. */
export function workspaceSnapshots({ versions }: OpenPorts): WorkspaceSnapshots {
  const resolve = (workspace: string, file: string) => pathGate(workspace)(file);
  return {
    read: versions.read,
    store: versions.store,
    keep: async (workspace, file) => {
      const target = resolve(workspace, file);
      return "refused" in target ? undefined : versions.keep(target);
    },
    now: async (workspace, file) => {
      const target = resolve(workspace, file);
      return "refused" in target ? undefined : versions.now(target);
    },
    filesIn: async (workspace, folder) => {
      const target = resolve(workspace, folder);
      return "refused" in target ? [] : versions.filesIn(target);
    },
    missingAbove: (workspace, file) => {
      const target = resolve(workspace, file);
      return "refused" in target ? [] : versions.missingAbove(target);
    },
    isFolder: (workspace, file) => {
      const target = resolve(workspace, file);
      return !("refused" in target) && versions.isFolder(target);
    },
    removeEmpty: async (workspace, folder) => {
      const target = resolve(workspace, folder);
      return !("refused" in target) && versions.removeEmpty(target);
    },
    modeOf: (workspace, file) => {
      const target = resolve(workspace, file);
      return "refused" in target ? undefined : versions.modeOf(target);
    },
    restore: async (workspace, { path: file, to, mode }, signal) => {
      const target = resolve(workspace, file);
      return "refused" in target ? systemFault("refused", target.refused) : versions.restore(target, { to, mode }, signal);
    },
  };
}
