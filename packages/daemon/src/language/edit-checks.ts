import path from "node:path";
import type { CallId, SessionId } from "@baton/core/protocol/ids";
import { checkEdits, type FileEdit, type NewErrors } from "./check-edits.ts";
import type { ServerDefinition } from "./server-definition.ts";
import type { LanguageServerPool } from "./server-pool.ts";

/** New errors of a call's edits. `file` is relative to the workspace. */
export type EditErrors = { callId: CallId; errors: { file: string; line: number; column: number; message: string }[]; more: number };

export type EditChecksOptions = {
  pool: Pick<LanguageServerPool, "prepare" | "use">;
  /** The server for a file that is edited in a mode. Undefined if there is none, or if it must not start in this workspace. */
  serverFor: (file: string, workspace: string, mode: string) => ServerDefinition | undefined;
  /** How long a session waits for all servers, in milliseconds, and the maximum number of errors of a step. */
  settings: (workspace: string) => { waitMs: number; most: number };
  /** The contents of a snapshot, and of a file now. Null if there is no file, undefined if it cannot be read as a text. */
  snapshot: (hash: string) => Promise<string | undefined>;
  current: (file: string) => Promise<string | null | undefined>;
  report: (problem: string, error: unknown) => void;
};

/** An edited file of a step. `before` is the hash of its content before the first edit. `callId`: the last call that changed it. */
type PendingEdit = { callId: CallId; before: string | null; definition: ServerDefinition };

/** Checks the edits of sessions with language servers. */
export type EditChecks = {
  /** A call is about to change a file. Starts the server for it. `before` is its content as a hash, or null. True if the file will be checked. */
  willChange: (edit: {
    sessionId: SessionId;
    callId: CallId;
    workspace: string;
    mode: string;
    path: string;
    before: string | null;
  }) => boolean;
  /** The new errors after the edits of a step. Errors that take longer than the user wants to wait come later (`late`). */
  check: (sessionId: SessionId, workspace: string, signal: AbortSignal) => Promise<{ found: EditErrors[]; late?: Promise<EditErrors[]> }>;
};

/** Larger files are not checked, in characters. A server works for half a minute on a file of 50,000 lines. */
const MAX_TEXT = 1_000_000;
/** The number of files of one step that are checked. */
const MAX_EDITS = 20;

export function openEditChecks({ pool, serverFor, settings, snapshot, current, report }: EditChecksOptions): EditChecks {
  const pending = new Map<SessionId, Map<string, PendingEdit>>();

  const textsOf = async (file: string, { before }: PendingEdit): Promise<FileEdit | undefined> => {
    const [old, now] = await Promise.all([before === null ? null : snapshot(before), current(file)]);
    if (old === undefined || now === undefined || old === now) return undefined;
    return (old?.length ?? 0) > MAX_TEXT || (now?.length ?? 0) > MAX_TEXT ? undefined : { file, before: old, after: now };
  };

  const checkAll = async (edits: ReadonlyMap<string, PendingEdit>, workspace: string): Promise<NewErrors[]> => {
    const found = await Promise.all(
      groupByServer(edits).map(async ({ definition, files }) => {
        const texts = (await Promise.all(files.map(([file, edit]) => textsOf(file, edit)))).filter((edit) => edit !== undefined);
        if (texts.length === 0) return [];
        try {
          return await pool.use(definition, workspace, (server) => checkEdits(server, texts));
        } catch (error) {
          report(`the language server ${definition.name} did not check an edit in ${workspace}`, error);
          return [];
        }
      }),
    );
    return found.flat();
  };

  return {
    willChange(edit) {
      const { sessionId, callId, workspace, mode, before } = edit;
      const file = path.resolve(workspace, edit.path);
      if (!file.startsWith(workspace + path.sep)) return false;
      const definition = serverFor(file, workspace, mode);
      if (!definition) return false;
      const edits = pending.get(sessionId) ?? new Map<string, PendingEdit>();
      const first = edits.get(file);
      if (!first && edits.size >= MAX_EDITS) return false;
      edits.set(file, { callId, before: first ? first.before : before, definition });
      pending.set(sessionId, edits);
      pool.prepare(definition, workspace);
      return true;
    },

    async check(sessionId, workspace, signal) {
      const edits = pending.get(sessionId);
      pending.delete(sessionId);
      if (!edits) return { found: [] }; // a daemon that has just started does not know the texts before the edits
      const { waitMs, most } = settings(workspace);
      const all = checkAll(edits, workspace).then((found) => byCall(found, edits, { workspace, most }));
      const found = await withinTime(all, waitMs, signal);
      return found ? { found } : { found: [], late: all };
    },
  };
}

async function withinTime<T>(promise: Promise<T>, ms: number, signal: AbortSignal): Promise<T | undefined> {
  const { promise: over, resolve } = Promise.withResolvers<undefined>();
  const stop = () => resolve(undefined);
  const timer = setTimeout(stop, ms);
  signal.addEventListener("abort", stop, { once: true });
  try {
    return await Promise.race([promise, over]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
  }
}

type ServerGroup = { definition: ServerDefinition; files: [string, PendingEdit][] };

function groupByServer(edits: ReadonlyMap<string, PendingEdit>): ServerGroup[] {
  const groups = new Map<string, ServerGroup>();
  for (const [file, edit] of edits) {
    const group = groups.get(edit.definition.name) ?? { definition: edit.definition, files: [] };
    group.files.push([file, edit]);
    groups.set(edit.definition.name, group);
  }
  return [...groups.values()];
}

/** Assigns errors to the calls that caused them: first those in edited files, then those in files that use them. */
function byCall(
  found: readonly NewErrors[],
  edits: ReadonlyMap<string, PendingEdit>,
  { workspace, most }: { workspace: string; most: number },
): EditErrors[] {
  const last = [...edits.values()].at(-1);
  const byCallId = new Map<CallId, EditErrors>();
  let left = most;
  for (const { file, causedBy, errors } of found.toSorted((a, b) => Number(edits.has(b.file)) - Number(edits.has(a.file)))) {
    const callId = (edits.get(causedBy ?? file) ?? last)?.callId;
    if (callId === undefined) continue;
    const entry = byCallId.get(callId) ?? { callId, errors: [], more: 0 };
    const shown = errors.slice(0, left);
    left -= shown.length;
    entry.errors.push(...shown.map(({ line, column, message }) => ({ file: path.relative(workspace, file), line, column, message })));
    entry.more += errors.length - shown.length;
    byCallId.set(callId, entry);
  }
  return [...byCallId.values()];
}
