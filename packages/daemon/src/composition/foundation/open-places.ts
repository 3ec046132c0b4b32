import { mkdirSync, realpathSync } from "node:fs";
import type { BatonPaths } from "../../client/paths.ts";
import { openPlaceEventLog } from "../../place/place-event-log.ts";
import { openPlaces, type Places } from "../../place/places.ts";
import type { WorkspaceDecisions } from "../../session/workspace/workspace-decisions.ts";
import type { EventLog } from "../../store/event-log.ts";
import type { Machine } from "../../store/machine-id.ts";
import { streamNames } from "../../store/stream-names.ts";
import { systemClock } from "../../system/clock.ts";
import { commandEnv } from "../../system/commands/child-env.ts";
import { PROCESS_TAG } from "../../system/platform/process-tree.ts";
import type { BlobStore } from "../../system/files/blob.ts";
import type { OpenPorts } from "../../system/open-system-ports.ts";
import type { LateServices } from "./late-services.ts";
import type { OpenStore } from "./open-store.ts";
import { placeRemovalBlockers } from "./place-removal-blockers.ts";
import { workspaceSnapshots } from "./workspace-snapshots.ts";

type OpenPlacesOptions = {
  log: EventLog;
  machine: Machine;
  store: Pick<OpenStore, "database">;
  paths: Pick<BatonPaths, "places">;
  env: Readonly<Record<string, string | undefined>>;
  bootId: string;
  ports: OpenPorts;
  blobs: Pick<BlobStore, "put" | "read">;
  late: LateServices;
};

/** Reads the places of this machine. Their interrupted steps are found out by `recover`. */
export async function openPlacesOf({ log, machine, store, paths, env, bootId, ports, blobs, late }: OpenPlacesOptions): Promise<Places> {
  const places = await openPlaceEventLog(log, systemClock, {
    machine: machine.id,
    names: streamNames(store.database),
    changed: () => late.sessions?.changes.places.wake(),
  });
  return openPlaces({
    log: places,
    folder: () => realFolder(paths.places),
    env: { ...env, [PROCESS_TAG]: `${bootId}.place` }, // a git that outlives a killed daemon is ended by the next one
    files: { snapshots: workspaceSnapshots(ports), readBlob: (hash) => blobs.read(hash), putBlob: (content) => blobs.put(content) },
    setups: {
      isApproved: (folder, hash) => late.setups?.isApproved(folder, hash) ?? false,
      denial: (folder, command) => late.setups?.denial(folder, command),
      env: commandEnv(env),
    },
    usersOf: (root) => placeRemovalBlockers(root, late.sessions, ports.buffers),
  });
}

/** Worktrees know real paths only. */
function realFolder(folder: string): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return realpathSync(folder);
}

/** Decisions of the user about a folder also apply in its places. */
export function workspacesByIdentity(workspaces: WorkspaceDecisions, identity: (folder: string) => string): WorkspaceDecisions {
  return {
    ...workspaces,
    load: (folder) => workspaces.load(identity(folder)),
    grants: (folder) => workspaces.grants(identity(folder)),
    trust: (folder) => workspaces.trust(identity(folder)),
    settleTrust: (folder, trusted, by) => workspaces.settleTrust(identity(folder), trusted, by),
    isSetupApproved: (folder, hash) => workspaces.isSetupApproved(identity(folder), hash),
    approveSetup: (folder, hash, by) => workspaces.approveSetup(identity(folder), hash, by),
    isHookApproved: (folder, hash) => workspaces.isHookApproved(identity(folder), hash),
    approveHooks: (folder, hashes, approved, by) => workspaces.approveHooks(identity(folder), hashes, approved, by),
    isToolApproved: (folder, hash) => workspaces.isToolApproved(identity(folder), hash),
    approveTools: (folder, hashes, approved, by) => workspaces.approveTools(identity(folder), hashes, approved, by),
    approval: (folder, server) => workspaces.approval(identity(folder), server),
    judgeServer: (folder, decision) => workspaces.judgeServer(identity(folder), decision),
    give: (folder, grant, by) => workspaces.give(identity(folder), grant, by),
    revoke: (folder, grantId, by) => workspaces.revoke(identity(folder), grantId, by),
  };
}
