import path from "node:path";
import type { CallId, SessionId } from "@baton/core/protocol/ids";
import { checkWithLanguageServer, type FileEdit, type NewErrors } from "./check-with-language-server.ts";
import { checkWithEditor, readBaseline, type Baseline, type EditWithBaseline, type EditorResult } from "./check-with-editor.ts";
import type { EditorDiagnostics } from "./editor-diagnostics.ts";
import type { LanguageServerDefinition } from "../server/server-definition.ts";
import type { LanguageServerPool } from "../server/server-pool.ts";

/** New errors of a call's edits. `file` is relative to the workspace. */
export type EditErrors = { callId: CallId; errors: { file: string; line: number; column: number; message: string }[]; more: number };

type EditChecksOptions = {
  pool: Pick<LanguageServerPool, "prepare" | "use">;
  /** The server for a file that is edited in a mode. Undefined if there is none, or if it must not start in this workspace. */
  serverFor: (file: string, workspace: string, mode: string) => LanguageServerDefinition | undefined;
  /** The editors whose diagnostics count instead of those of a server. */
  editors: Pick<EditorDiagnostics, "at">;
  /** How long a session waits for all servers, in milliseconds, and the maximum number of errors of a step. */
  settings: (workspace: string) => { waitMs: number; most: number; areOn: boolean };
  /** The contents of a snapshot, and of a file now. Null if there is no file, undefined if it cannot be read as a text. */
  snapshot: (hash: string) => Promise<string | undefined>;
  current: (file: string) => Promise<string | null | undefined>;
  report: (problem: string, error: unknown) => void;
};

/**
 * An edited file of a step. `before` is the hash of its content before the first edit. `callId`: the last call that changed it. An edit
 * with a baseline is checked by its editor. Undefined: no server is installed.
 */
type PendingEdit = {
  callId: CallId;
  before: string | null;
  definition: LanguageServerDefinition | undefined;
  baseline: Baseline | undefined;
};

/** Checks the edits of sessions with language servers. */
export type EditChecker = {
  /**
   * A call is about to change a file. Asks the editor for its errors, or starts the server for it. `before` is its content as a hash, or
   * null. True if the file will be checked.
   */
  willChange: (edit: {
    sessionId: SessionId;
    callId: CallId;
    workspace: string;
    mode: string;
    path: string;
    before: string | null;
  }) => Promise<boolean>;
  /** The new errors after the edits of a step. Errors that take longer than the user wants to wait come later (`late`). */
  check: (sessionId: SessionId, workspace: string, signal: AbortSignal) => Promise<{ found: EditErrors[]; late?: Promise<EditErrors[]> }>;
};

/** Larger files are not checked, in characters. A server works for half a minute on a file of 50,000 lines. */
const MAX_TEXT = 1_000_000;
/** How long an editor may take after an edit, in milliseconds. Its answer then comes with the next step. */
const EDITOR_MS = 15_000;
/** The number of files of one step that are checked. */
const MAX_EDITS = 20;

export function openEditChecker({ pool, serverFor, editors, settings, snapshot, current, report }: EditChecksOptions): EditChecker {
  const pending = new Map<SessionId, Map<string, PendingEdit>>();

  const textsOf = async (file: string, { before }: PendingEdit): Promise<FileEdit | undefined> => {
    const [old, now] = await Promise.all([before === null ? null : snapshot(before), current(file)]);
    if (old === undefined || now === undefined || old === now) return undefined;
    return (old?.length ?? 0) > MAX_TEXT || (now?.length ?? 0) > MAX_TEXT ? undefined : { file, before: old, after: now };
  };

  const checkWithServers = async (edits: readonly CheckedEdit[], workspace: string): Promise<NewErrors[]> => {
    const found = await Promise.all(
      groupBy(edits, ({ definition }) => definition?.name).map(async (group) => {
        const [{ definition }] = group;
        if (!definition) return [];
        try {
          return await pool.use(definition, workspace, (server) => checkWithLanguageServer(server, group));
        } catch (error) {
          report(`the language server ${definition.name} did not check an edit in ${workspace}`, error);
          return [];
        }
      }),
    );
    return found.flat();
  };

  const checkAll = async (edits: ReadonlyMap<string, PendingEdit>, workspace: string): Promise<Pick<EditorResult, "found" | "later">> => {
    const texts = await Promise.all(
      [...edits].map(async ([file, edit]): Promise<CheckedEdit | undefined> => {
        const changed = await textsOf(file, edit);
        return changed && { ...edit, ...changed };
      }),
    );
    const all = texts.filter((edit) => edit !== undefined);
    const ofEditors = groupBy(all.filter(isOfEditor), ({ baseline }) => baseline.editor);
    const editorResults = await Promise.all(ofEditors.map((group) => checkWithEditor(group[0].baseline.editor, group, EDITOR_MS)));
    const unjudged = new Set(editorResults.flatMap((result) => result.unjudged.map(({ file }) => file)));
    const ofServers = await checkWithServers(
      all.filter((edit) => !edit.baseline || unjudged.has(edit.file)),
      workspace,
    );
    const later = Promise.all(editorResults.flatMap((result) => result.later ?? [])).then((found) => found.flat());
    return { found: [...editorResults.flatMap(({ found }) => found), ...ofServers], ...(editorResults.length > 0 ? { later } : {}) };
  };

  return {
    async willChange({ sessionId, callId, workspace, mode, path: relative, before }) {
      const file = path.resolve(workspace, relative);
      const { areOn, waitMs } = settings(workspace);
      if (!areOn || !file.startsWith(workspace + path.sep)) return false;
      const edits = pending.get(sessionId) ?? new Map<string, PendingEdit>();
      const first = edits.get(file);
      if (!first && edits.size >= MAX_EDITS) return false;
      const definition = serverFor(file, workspace, mode);
      const editor = first ? undefined : editors.at(workspace);
      const text = editor && before !== null ? await snapshot(before) : null;
      const baseline = editor && text !== undefined ? await readBaseline(editor, file, text, waitMs) : first?.baseline;
      if (!definition && !baseline) return false;
      edits.set(file, { callId, before: first ? first.before : before, definition, baseline });
      pending.set(sessionId, edits);
      if (definition && !baseline) pool.prepare(definition, workspace);
      return true;
    },

    async check(sessionId, workspace, signal) {
      const edits = pending.get(sessionId);
      pending.delete(sessionId);
      if (!edits) return { found: [] }; // a daemon that has just started does not know the texts before the edits
      const { waitMs, most } = settings(workspace);
      const inCalls = (found: readonly NewErrors[]) => byCall(found, edits, { workspace, most });
      const all = checkAll(edits, workspace);
      const now = await withinTime(all, waitMs, signal);
      if (!now) return { found: [], late: all.then(({ found }) => inCalls(found)) };
      return { found: inCalls(now.found), ...(now.later ? { late: now.later.then(inCalls) } : {}) };
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

/** An edit with its texts. */
type CheckedEdit = PendingEdit & FileEdit;

const isOfEditor = (edit: CheckedEdit): edit is CheckedEdit & EditWithBaseline => edit.baseline !== undefined;

function groupBy<T, K>(all: readonly T[], keyOf: (each: T) => K): [T, ...T[]][] {
  const groups = new Map<K, [T, ...T[]]>();
  for (const each of all) {
    const group = groups.get(keyOf(each));
    if (group) group.push(each);
    else groups.set(keyOf(each), [each]);
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
