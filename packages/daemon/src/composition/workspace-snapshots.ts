import { pathGate } from "../permission/path.ts";
import { systemFault } from "../system/system-fault.ts";
import type { OpenPorts } from "../system/open-ports.ts";
import type { WorkspaceSnapshots } from "../session/session-dependencies.ts";

/** Contents of files by their path in a workspace; what the path gate refuses is nothing that can be kept. */
export function workspaceSnapshots({ versions }: OpenPorts): WorkspaceSnapshots {
  const at = (workspace: string, file: string) => pathGate(workspace)(file);
  return {
    keep: async (workspace, file) => {
      const place = at(workspace, file);
      return "refused" in place ? undefined : versions.keep(place);
    },
    now: async (workspace, file) => {
      const place = at(workspace, file);
      return "refused" in place ? undefined : versions.now(place);
    },
    filesIn: async (workspace, folder) => {
      const place = at(workspace, folder);
      return "refused" in place ? [] : versions.filesIn(place);
    },
    missingAbove: (workspace, file) => {
      const place = at(workspace, file);
      return "refused" in place ? [] : versions.missingAbove(place);
    },
    isFolder: (workspace, file) => {
      const place = at(workspace, file);
      return !("refused" in place) && versions.isFolder(place);
    },
    removeEmpty: async (workspace, folder) => {
      const place = at(workspace, folder);
      return !("refused" in place) && versions.removeEmpty(place);
    },
    modeOf: (workspace, file) => {
      const place = at(workspace, file);
      return "refused" in place ? undefined : versions.modeOf(place);
    },
    restore: async (workspace, { path: file, to, mode }, signal) => {
      const place = at(workspace, file);
      return "refused" in place ? systemFault("refused", place.refused) : versions.restore(place, { to, mode }, signal);
    },
  };
}
