import { usage } from "./exit-codes.ts";
import type { SessionRow } from "@baton/core/session/session-list";
import type { Api } from "./daemon-connection.ts";
import { inboxIdByNumber } from "../commands/request/inbox-numbers.ts";
import type { InboxItem } from "@baton/core/protocol/request";

/** What is looked for, for a person: `session`, and where its ids are to be found, as a sentence. */
export type IdSubject = { one: string; where: string };

const LEAST = 3;

/**
 * The one that a person named by its id, or by the beginning of it (three letters at least). Throws what they read when
 * none fits, or more than one.
 */
export function resolveById<T extends { id: string }>(named: string, known: readonly T[], { one, where }: IdSubject): T {
  const same = known.find(({ id }) => id === named);
  const alike = same ? [same] : known.filter(({ id }) => named.length >= LEAST && id.startsWith(named));
  const [only, ...more] = alike;
  if (!only) throw usage(`There is no ${one} ${named}. ${where}`);
  if (more.length > 0) throw usage(`More than one ${one} begins with ${named}: ${listed(alike)}. Write more of the id.`);
  return only;
}

const MAX_LISTED = 10;

const listed = (alike: readonly { id: string }[]): string =>
  [...alike.slice(0, MAX_LISTED).map(({ id }) => id), ...(alike.length > MAX_LISTED ? [`and ${alike.length - MAX_LISTED} more`] : [])].join(
    ", ",
  );

/** The subtasks of a session and theirs, in the order of their ids. */
export async function listSubtasks(api: Api, id: string): Promise<SessionRow[]> {
  const all = await Promise.all([false, true].map((archived) => api.session.list.query({ archived, limit: 10_000 })));
  return all
    .flat()
    .filter((row) => row.id.startsWith(`${id}.`))
    .toSorted((a, b) => a.id.localeCompare(b.id, "en", { numeric: true }));
}

/** A request by its id, the beginning of it, or its number in the inbox; an id alone where it is not open, so that the daemon says what became of it. */
export async function findRequest(api: Api, named: string): Promise<InboxItem | { id: string }> {
  const open = await api.request.list.query();
  const wanted = /^\d{1,2}$/.test(named) ? inboxIdByNumber(Number(named)) : named;
  const isWhole = wanted.includes("-") && !open.some(({ id }) => id.startsWith(wanted));
  if (isWhole) return { id: wanted };
  return resolveById(wanted, open, { one: "request", where: "`baton inbox` lists the open ones." });
}

/** A session by its id, or by the beginning of it. A subtask's id begins with its parent's, so it is meant only where a dot is written. */
export async function findSession(api: Api, named: string): Promise<SessionRow> {
  const [open, archived] = await Promise.all([
    api.session.list.query({ limit: 10_000 }),
    api.session.list.query({ archived: true, limit: 10_000 }),
  ]);
  const meant = [...open, ...archived].filter(({ parentId }) => parentId === null || named.includes("."));
  return resolveById(named, meant, { one: "session", where: "`baton sessions` lists them." });
}
