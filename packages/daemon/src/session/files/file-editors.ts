import path from "node:path";
import type { EventOf, LoggedEvent } from "@baton/core/protocol/event";
import type { SessionId } from "@baton/core/protocol/ids";
import type { GatedAccess } from "@baton/core/permission/judge";
import type { SessionState } from "@baton/core/session/state";
import type { EventLog } from "../../store/event-log.ts";
import type { StoreLists } from "../../store/projections.ts";

/** The newest change of a file by a session, in epoch milliseconds. */
type FileEdit = { sessionId: SessionId; at: number };

/** An edit with the path of the file, which is relative to the workspace of the session if it is inside. */
export type NamedEdit = FileEdit & { path: string };

/** The session that changed each file last. Sessions in one checkout are kept from overwriting each other with it. */
export type FileEditors = {
  /** Reads what sessions of a folder changed before the daemon started. */
  load: (workspace: string) => Promise<void>;
  /** The edits of the last day in all folders, by the absolute path of the file. */
  recent: () => Promise<ReadonlyMap<string, readonly NamedEdit[]>>;
  record: (id: SessionId, workspace: string, file: string, at: number) => void;
  /** The newest change of a file since a time by a session of another tree, unless this session has changed the file after it. */
  changedByOther: (id: SessionId, workspace: string, file: string, since: number) => FileEdit | undefined;
};

/** Older sessions have surely ended. */
const MAX_AGE_MS = 24 * 3_600_000;
const MAX_SESSIONS = 50;

export function openFileEditors(log: Pick<EventLog, "ofType">, lists: Pick<StoreLists, "sessions">, now: () => number): FileEditors {
  const edits = new Map<string, Map<SessionId, NamedEdit>>();
  const loaded = new Map<string, Promise<void>>();

  const record: FileEditors["record"] = (id, workspace, file, at) => {
    const absolute = path.resolve(workspace, file);
    const bySession = edits.get(absolute) ?? new Map<SessionId, NamedEdit>();
    bySession.set(id, { sessionId: id, path: file, at: Math.max(at, bySession.get(id)?.at ?? 0) });
    edits.set(absolute, bySession);
  };

  const read = async (workspace: string): Promise<void> => {
    const recent = (await lists.sessions({ workspace, limit: MAX_SESSIONS })).filter(({ updatedAt }) => updatedAt > now() - MAX_AGE_MS);
    for (const { id } of recent)
      for (const { path: file, at } of await log.ofType<ChangedEvent>(id, "file.changed")) record(id, workspace, file, at);
  };

  const load: FileEditors["load"] = (workspace) => {
    const before = loaded.get(workspace) ?? read(workspace);
    loaded.set(workspace, before);
    before.catch(() => loaded.delete(workspace));
    return before;
  };

  return {
    record,
    load,
    async recent() {
      const since = now() - MAX_AGE_MS;
      const workspaces = (await lists.sessions({})).flatMap(({ updatedAt, workspace }) => (updatedAt > since ? workspace : []));
      await Promise.all([...new Set(workspaces)].map(load));
      const inLastDay = [...edits].map(([file, bySession]) => [file, [...bySession.values()].filter(({ at }) => at > since)] as const);
      return new Map(inLastDay.filter(([, found]) => found.length > 0));
    },
    changedByOther(id, workspace, file, since) {
      const bySession = edits.get(path.resolve(workspace, file));
      if (!bySession) return undefined;
      const after = Math.max(since, bySession.get(id)?.at ?? 0);
      const others = [...bySession.values()].filter(
        ({ sessionId, at }) => rootSessionIdOf(sessionId) !== rootSessionIdOf(id) && at > after,
      );
      return others.toSorted((a, b) => b.at - a.at)[0];
    },
  };
}

type ChangedEvent = LoggedEvent<EventOf<"file.changed">>;

/** A session and its subtasks work together, so they do not ask about each other. */
export const rootSessionIdOf = (id: SessionId): SessionId => (id.split(".", 1)[0] ?? id) as SessionId; // the id of its first session

/** Makes an edit ask if a session of another tree has changed the file since this one's last turn. An answer applies once. */
export function askWhereOtherSessionEdited(
  access: GatedAccess,
  { workspace, lastTurn, createdAt = 0 }: Pick<SessionState, "workspace"> & Partial<Pick<SessionState, "lastTurn" | "createdAt">>,
  id: SessionId,
  { changedByOther }: Pick<FileEditors, "changedByOther">,
): GatedAccess {
  const { action, resource, floor } = access;
  if (action !== "edit" || floor?.effect === "deny") return access;
  const other = changedByOther(id, workspace, resource, lastTurn?.endedAt ?? createdAt);
  if (!other) return access;
  const source = `the session ${other.sessionId} has changed this file since this session's last turn`;
  return { ...access, floor: { action, resource, effect: "ask", layer: "gate", source, once: true } };
}
