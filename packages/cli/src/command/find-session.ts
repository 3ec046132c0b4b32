import type { Api, SessionRow } from "./link.ts";
import { usage } from "./stop.ts";

/** A session by its id, or by the beginning of it. */
export async function findSession(api: Api, named: string): Promise<SessionRow> {
  const [open, archived] = await Promise.all([
    api.session.list.query({ limit: 10_000 }),
    api.session.list.query({ archived: true, limit: 10_000 }),
  ]);
  const rows = [...open, ...archived];
  const same = rows.find(({ id }) => id === named);
  const alike = rows.filter(({ id, parentId }) => parentId === null && named.length >= 3 && id.startsWith(named));
  const [only, ...more] = same ? [same] : alike;
  if (!only) throw usage(`There is no session ${named}. \`baton sessions\` lists them.`);
  if (more.length > 0)
    throw usage(`More than one session begins with ${named}: ${alike.map(({ id }) => id).join(", ")}. Write more of the id.`);
  return only;
}
