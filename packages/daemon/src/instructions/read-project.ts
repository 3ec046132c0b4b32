import type { Reader } from "./read-cached.ts";

/** Says why a file of a workspace is not to be read, in words for people. */
export type ProjectFileProblem = (file: string, workspace: string) => string | undefined;

/** What of a project's files was left out, as clients show it. */
export type SkippedFile = { file: string; line: number; column: number; severity: "warning"; message: string };

const MAX_SKIPPED_REPORTED = 200;

/** Readers for files of projects, which may be links to anywhere: what is strange is not read, but told of. */
export function openProjectReaders(
  read: Reader,
  strange: ProjectFileProblem,
): { of: (workspace: string) => Reader; leftOut: () => SkippedFile[] } {
  const told = new Map<string, SkippedFile>();
  return {
    of: (workspace) => async (file) => {
      const why = strange(file, workspace);
      if (why === undefined) {
        told.delete(file);
        return read(file);
      }
      if (told.size >= MAX_SKIPPED_REPORTED) told.clear();
      told.set(file, { file, line: 1, column: 1, severity: "warning", message: `${why} It is left out.` });
      return undefined;
    },
    leftOut: () => [...told.values()],
  };
}
