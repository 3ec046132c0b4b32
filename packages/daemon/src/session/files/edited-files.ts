import type { SessionId } from "@baton/core/protocol/ids";
import type { StoreLists } from "../../store/projections.ts";
import { rootSessionIdOf, type FileEditors, type NamedEdit } from "./file-editors.ts";

/**
 * A file by its absolute path, with the sessions that changed it, newest first. Subtasks count for the session that started them.
 * `path` of a session is relative to its workspace if the file is inside.
 */
type EditedFile = { file: string; sessions: { id: SessionId; title: string; path: string; at: number }[] };

const MAX_FILES = 1_000;

/** The files that sessions changed during the last day, without archived sessions: those of several sessions first, then the newest. */
export async function editedFiles({ recent }: Pick<FileEditors, "recent">, { rows }: Pick<StoreLists, "rows">): Promise<EditedFile[]> {
  const byFile = [...(await recent())].map(([file, edits]) => ({ file, edits: newestByTree(edits) }));
  const ids = byFile.flatMap(({ edits }) => edits.map(({ sessionId }) => sessionId));
  const listed = (await rows([...new Set(ids)])).filter(({ archived }) => !archived);
  const titles = new Map(listed.map(({ id, title }) => [id, title]));
  return byFile
    .map(({ file, edits }) => ({ file, sessions: edits.flatMap((edit) => named(edit, titles)) }))
    .filter(({ sessions }) => sessions.length > 0)
    .toSorted((a, b) => Number(b.sessions.length > 1) - Number(a.sessions.length > 1) || newest(b) - newest(a))
    .slice(0, MAX_FILES);
}

function newestByTree(edits: readonly NamedEdit[]): NamedEdit[] {
  const found = new Map<SessionId, NamedEdit>();
  for (const edit of edits.toSorted((a, b) => b.at - a.at)) {
    const id = rootSessionIdOf(edit.sessionId);
    if (!found.has(id)) found.set(id, { ...edit, sessionId: id });
  }
  return [...found.values()];
}

/** A session that was deleted or archived has no title here. */
function named({ sessionId, path, at }: NamedEdit, titles: ReadonlyMap<SessionId, string>): EditedFile["sessions"] {
  const title = titles.get(sessionId);
  return title === undefined ? [] : [{ id: sessionId, title, path, at }];
}

const newest = ({ sessions }: EditedFile): number => sessions[0]?.at ?? 0;
