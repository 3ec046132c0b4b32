import type { SessionRow } from "@baton/core/session/session-row";
import type { Api } from "./daemon-connection.ts";

/** The subtasks of a session and theirs, in the order of their ids. */
export async function listSubtasks(api: Api, id: string): Promise<SessionRow[]> {
  const all = await Promise.all([false, true].map((archived) => api.session.list.query({ archived, limit: 10_000 })));
  return all
    .flat()
    .filter((row) => row.id.startsWith(`${id}.`))
    .toSorted((a, b) => a.id.localeCompare(b.id, "en", { numeric: true }));
}
