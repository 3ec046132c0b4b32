import type { Api } from "../../connection/connection-types.ts";

/** A file with the sessions that changed it during the last day, newest first. */
export type EditedFile = Awaited<ReturnType<Api["session"]["editedFiles"]["query"]>>[number];

/** A session that changed a file. `path` is relative to its workspace if the file is inside. */
export type FileEditor = EditedFile["sessions"][number];

/** The session that a subtask belongs to. */
export const rootOf = (sessionId: string): string => sessionId.split(".", 1)[0] ?? sessionId;

/** The other sessions that changed a file of a session. A session and its subtasks are one. */
export function otherEditors(files: readonly EditedFile[], sessionId: string, path: string): readonly FileEditor[] {
  const own = rootOf(sessionId);
  const file = files.find(({ sessions }) => sessions.some((each) => each.id === own && each.path === path));
  return file?.sessions.filter(({ id }) => id !== own) ?? [];
}

/** The files of each session. */
export function filesBySession(files: readonly EditedFile[]): ReadonlyMap<string, readonly EditedFile[]> {
  const found = new Map<string, EditedFile[]>();
  for (const file of files) for (const { id } of file.sessions) found.set(id, [...(found.get(id) ?? []), file]);
  return found;
}
