import { resolveById } from "./resolve-by-id.ts";
import type { SessionRow } from "@baton/core/session/session-row";
import type { Api } from "./daemon-connection.ts";

/** A session by its id, or by the beginning of it. A subtask's id begins with its parent's, so it is meant only where a dot is written. */
export async function findSession(api: Api, named: string): Promise<SessionRow> {
  const [open, archived] = await Promise.all([
    api.session.list.query({ limit: 10_000 }),
    api.session.list.query({ archived: true, limit: 10_000 }),
  ]);
  const meant = [...open, ...archived].filter(({ parentId }) => parentId === null || named.includes("."));
  return resolveById(named, meant, { one: "session", where: "`baton sessions` lists them." });
}
