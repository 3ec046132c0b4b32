import type { InboxItem } from "@baton/core/protocol/request";
import type { SessionRow } from "@baton/core/session/session-list";
import type { Mode } from "@baton/core/protocol/mode";
import { followInbox, followSessionList } from "@baton/core/client/follow-lists";
import type { Grant } from "@baton/core/protocol/rule";
import type { Api } from "../../connection/connection-types.ts";
import { runDetached } from "@baton/core/client/run-detached";
import { sourceFolder, type Place } from "./place-folders.ts";
import { observableValue, type SettableValue, type ObservableValue } from "../../connection/observable.ts";

export type ModeTools = Awaited<ReturnType<Api["daemon"]["tools"]["query"]>>;
type KnownModel = Awaited<ReturnType<Api["daemon"]["models"]["query"]>>[number];
export type DaemonStatus = Awaited<ReturnType<Api["daemon"]["status"]["query"]>>;

/** Data for all sessions: the list, the inbox and the modes. Undefined until they are loaded. */
export type DaemonData = {
  sessions: ObservableValue<readonly SessionRow[] | undefined>;
  inbox: ObservableValue<readonly InboxItem[] | undefined>;
  /** Worktrees for sessions, in no particular order. */
  places: ObservableValue<readonly Place[]>;
  /** The modes of a folder; until they are loaded, those of every folder. */
  modesIn: (folder: string) => ObservableValue<readonly Mode[]>;
  status: ObservableValue<DaemonStatus | undefined>;
  /** Every model that the daemon knows. */
  models: ObservableValue<readonly KnownModel[]>;
  /** The default model of a new session, with a problem or null. */
  model: ObservableValue<{ id: string | null; problem: string | null } | undefined>;
  /** The tools of a mode in a folder, under the grants of a session. */
  modeTools: (mode: string, cwd: string, grants?: readonly Grant[]) => Promise<ModeTools>;
  /** The problem with a model of this name, or null. */
  resolve: (model: string) => Promise<string | null>;
  refresh: () => Promise<void>;
  close: () => void;
};

/** `folders` limits the list to sessions of these workspaces and of their places. The inbox always has all requests. */
export function openDaemonData(api: Api, folders: readonly string[] = []): DaemonData {
  const sessions = observableValue<readonly SessionRow[] | undefined>(undefined);
  const inbox = observableValue<readonly InboxItem[] | undefined>(undefined);
  const modes = new Map<string, SettableValue<readonly Mode[]>>([["", observableValue<readonly Mode[]>([])]]);
  const status = observableValue<DaemonStatus | undefined>(undefined);
  const models = observableValue<readonly KnownModel[]>([]);
  const model = observableValue<{ id: string | null; problem: string | null } | undefined>(undefined);
  const places = observableValue<readonly Place[]>([]);
  let allSessions: readonly SessionRow[] | undefined;
  const isHere = ({ workspace }: SessionRow) => folders.includes(workspace) || folders.includes(sourceFolder(places.get(), workspace));
  const publish = () => sessions.set(folders.length === 0 ? allSessions : allSessions?.filter(isHere));
  const following = [
    followSessionList(api, (rows) => {
      allSessions = rows;
      publish();
    }),
    followInbox(api, (items) => inbox.set(items)),
    api.place.follow.subscribe(undefined, {
      onData: ({ data }) => {
        places.set(data);
        publish();
      },
    }),
  ];
  const load = (folder: string) =>
    runDetached(
      api.daemon.modes.query({ cwd: folder }).then((known) => modes.get(folder)?.set(known)),
      () => undefined, // a folder that is gone has the modes of every folder
    );
  const modesIn: DaemonData["modesIn"] = (folder) => {
    const found = modes.get(folder);
    if (found) return found;
    const made = observableValue(modes.get("")?.get() ?? []);
    modes.set(folder, made);
    load(folder);
    return made;
  };
  const refresh = async () => {
    const { daemon } = api;
    const requests = [daemon.modes.query({}), daemon.status.query(), daemon.model.query({}), daemon.models.query()] as const;
    const [known, currentStatus, resolved, knownModels] = await Promise.all(requests);
    modes.get("")?.set(known);
    for (const folder of modes.keys()) if (folder !== "") load(folder);
    status.set(currentStatus);
    model.set(resolved);
    models.set(knownModels);
  };
  return {
    sessions,
    inbox,
    places,
    modesIn,
    status,
    models,
    model,
    refresh,
    resolve: async (id) => (await api.daemon.model.query({ model: id })).problem,
    modeTools: (mode, cwd, grants = []) => api.daemon.tools.query({ mode, cwd, grants: [...grants] }),
    close: () => following.forEach((each) => each.unsubscribe()),
  };
}
