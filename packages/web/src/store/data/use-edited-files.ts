import { useApp, useConnected, useObservableValue } from "../app-context.ts";
import type { EditedFile } from "./edited-files.ts";
import { useQuery } from "./use-query.ts";

const POLL_MS = 2_000;
const NO_FILES: readonly EditedFile[] = [];

/** Which sessions changed which files. Asks again when a turn ends, and regularly while sessions work. */
export function useEditedFiles(): readonly EditedFile[] {
  const { link, lists, tell } = useApp();
  const connected = useConnected();
  const rows = useObservableValue(lists.sessions) ?? [];
  const isWorking = rows.some(({ status }) => status === "working");
  const lastEnd = Math.max(0, ...rows.map(({ status, updatedAt }) => (status === "working" ? 0 : updatedAt)));
  const load = (signal: AbortSignal) => link.api.session.editedFiles.query(undefined, { signal });
  const options = { onError: tell, ...(isWorking ? { pollMs: POLL_MS } : {}) };
  return useQuery(connected ? load : undefined, [link, isWorking, lastEnd], options).data ?? NO_FILES;
}
