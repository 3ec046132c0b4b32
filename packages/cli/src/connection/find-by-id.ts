import { usageError } from "./exit-codes.ts";
import type { SessionRow } from "@baton/core/session/session-list";
import type { Api } from "./daemon-connection.ts";
import { inboxIdByNumber } from "../commands/request/inbox-numbers.ts";
import type { InboxItem } from "@baton/core/protocol/request";

/** The kind of object to look up, and a sentence that says where to find its ids. */
type IdSubject = { one: string; where: string };

const LEAST = 3;

/**
 * Finds an object by its id or the start of it (at least three characters). Throws a usage error if none matches or more
 * than one does.
 */
export function resolveById<T extends { id: string }>(reference: string, candidates: readonly T[], { one, where }: IdSubject): T {
  const same = candidates.find(({ id }) => id === reference);
  const matches = same ? [same] : candidates.filter(({ id }) => reference.length >= LEAST && id.startsWith(reference));
  const [only, ...more] = matches;
  if (!only) throw usageError(`There is no ${one} ${reference}. ${where}`);
  if (more.length > 0) throw usageError(`More than one ${one} begins with ${reference}: ${formatIds(matches)}. Give more of the id.`);
  return only;
}

const MAX_LISTED = 10;

const formatIds = (matches: readonly { id: string }[]): string =>
  [
    ...matches.slice(0, MAX_LISTED).map(({ id }) => id),
    ...(matches.length > MAX_LISTED ? [`and ${matches.length - MAX_LISTED} more`] : []),
  ].join(", ");

/** The subtasks of a session at all levels, in the order of their ids. */
export async function listSubtasks(api: Api, id: string): Promise<SessionRow[]> {
  const all = await Promise.all([false, true].map((archived) => api.session.list.query({ archived, limit: 10_000 })));
  return all
    .flat()
    .filter((row) => row.id.startsWith(`${id}.`))
    .toSorted((a, b) => a.id.localeCompare(b.id, "en", { numeric: true }));
}

/**
 * Finds a request by its id, the start of it, or its number in the inbox. A complete id that is not open is returned as it
 * is, so that the daemon reports what happened to it.
 */
export async function findRequest(api: Api, reference: string): Promise<InboxItem | { id: string }> {
  const open = await api.request.list.query();
  const wanted = /^\d{1,2}$/.test(reference) ? inboxIdByNumber(Number(reference)) : reference;
  const isWhole = wanted.includes("-") && !open.some(({ id }) => id.startsWith(wanted));
  if (isWhole) return { id: wanted };
  return resolveById(wanted, open, { one: "request", where: "`baton inbox` lists the open requests." });
}

/**
 * Finds a session by its id or the start of it. Subtasks match only if the id has a dot, because their ids begin with the
 * parent's.
 */
export async function findSession(api: Api, reference: string): Promise<SessionRow> {
  const [open, archived] = await Promise.all([
    api.session.list.query({ limit: 10_000 }),
    api.session.list.query({ archived: true, limit: 10_000 }),
  ]);
  const candidates = [...open, ...archived].filter(({ parentId }) => parentId === null || reference.includes("."));
  return resolveById(reference, candidates, { one: "session", where: "`baton sessions` lists them." });
}

/** The newest session of a folder. */
export async function newestSession(api: Api, workspace: string): Promise<string> {
  const sessions = await api.session.list.query({ workspace });
  const [newest] = sessions.filter(({ parentId }) => parentId === null).toSorted((a, b) => b.updatedAt - a.updatedAt);
  if (newest) return newest.id;
  throw usageError(`There is no session in ${workspace} yet. \`baton\` starts one.`);
}
