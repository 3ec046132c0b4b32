import { omitUndefined } from "@baton/core/text/omit-undefined";
import { realpath, stat } from "node:fs/promises";
import path from "node:path";
import { ClientCommand } from "@baton/core/protocol/command";
import { SessionEvent, type AdditionalRoot } from "@baton/core/protocol/event";
import { SessionId } from "@baton/core/protocol/ids";
import { ModeSlug } from "@baton/core/protocol/mode";
import { parseSlash } from "@baton/core/text/slash-command";
import { upcastEvent } from "@baton/core/protocol/upcast";
import * as z from "zod";
import { readTranscriptPage } from "../../session/history/transcript-page.ts";
import type { Session } from "../../session/session.ts";
import { sessionChanges } from "../../session/history/session-changes.ts";
import { planUndo } from "../../session/history/undo-changes.ts";
import { editedFiles } from "../../session/files/edited-files.ts";
import { contextReport } from "../../session/turn/context-report.ts";
import { watchValue } from "../watch-value.ts";
import { streamSessionList } from "../follow-session-list.ts";
import { followSession, isInLog, parsePosition } from "../follow-session.ts";
import { readWithRetry } from "../read-with-retry.ts";
import { idempotent } from "../idempotency.ts";
import { authedProcedure, commandProcedure, throwRefusal, router, throwIfRefused } from "../trpc.ts";
import { expandHome } from "../resolve-folder.ts";

/** Resolves when no undo restores files, or when the session cannot continue now. */
async function waitForUndo(session: Session, signal: AbortSignal | undefined): Promise<void> {
  for (;;) {
    const changed = session.changed(signal);
    if (!session.state.undo || session.closed() || signal?.aborted) return;
    await changed;
  }
}

const Lifted = z.looseObject({ type: z.string() }).transform((event) => upcastEvent(event));

/** An event of an export, as this version or an earlier one wrote it. */
const Exported = Lifted.pipe(z.intersection(SessionEvent, z.object({ seq: z.number().int().positive(), at: z.number() })));

const MAX_EVENTS_PER_PIECE = 100_000;
const MAX_EVENTS = 1_000_000;
const MAX_SUMMARIES = 100;

/** Fields of commands that start work. The client that sends one gets the session's requests. */
const PROMPTS: ReadonlySet<ClientCommand["type"]> = new Set(["prompt", "coordinate", "resume", "retry"]);

const InSession = z.object({ sessionId: z.string() });

/** Sessions: start, command, read and follow them. */
export const session = router({
  /** Starts a session in a folder and returns its id. */
  create: commandProcedure
    .input(
      z.object({
        workspace: z.string(),
        mode: ModeSlug.optional(),
        model: z.string().optional(),
        askTrust: z.boolean().optional(),
        /** Folders that the session may use besides the workspace. */
        roots: z
          .array(z.object({ path: z.string(), readOnly: z.boolean().default(false) }))
          .max(20)
          .optional(),
      }),
    )
    .mutation(async ({ ctx, input: { workspace, mode, model, askTrust, roots = [] } }) => {
      const cwd = await ctx.loadWorkspace(await folder(workspace));
      const { steps, ...limits } = ctx.services.settings.limits(cwd);
      const fields = {
        workspace: cwd,
        mode: mode ?? ctx.services.settings.defaultMode(cwd),
        stepLimit: steps,
        limits,
        by: ctx.actor,
        ...omitUndefined({ model, askTrust }),
        ...(roots.length === 0 ? {} : { roots: await realRoots(roots, cwd) }),
      };
      return throwIfRefused(await ctx.sessions.create(fields, ctx.commandId));
    }),

  /** Sends a command to a session: a prompt, an interruption, a mode switch, an undo and others. */
  send: commandProcedure.input(InSession.extend({ wish: ClientCommand })).mutation(async ({ ctx, input: { sessionId, wish } }) => {
    const found = throwIfRefused(await ctx.sessions.find(sessionId));
    if (PROMPTS.has(wish.type)) ctx.editor.windows.prompted(ctx.socket, sessionId);
    if (wish.type === "addRoot") {
      const [root] = await realRoots([wish], found.state.workspace);
      return throwIfRefused(await found.handle({ ...wish, ...root, by: ctx.actor }, ctx.commandId));
    }
    if (wish.type !== "prompt") return throwIfRefused(await found.handle({ ...wish, by: ctx.actor }, ctx.commandId));
    const isSlash = parseSlash(wish.text) !== undefined;
    const meant = isSlash ? await ctx.prompts.expand(found.state.workspace, wish.text, wish.mode ?? found.state.mode) : { text: wish.text };
    if ("code" in meant) return throwRefusal(meant.code, meant.message);
    const expanded = meant.text === wish.text ? { slash: undefined } : { text: meant.text, slash: wish.text };
    return throwIfRefused(await found.handle({ ...wish, ...expanded, by: ctx.actor }, ctx.commandId));
  }),

  /**
   * The effect of an undo on files: back to before a prompt, or to before the newest turn that changed any. Or what a redo
   * would do. Waits for an undo that still restores files.
   */
  undoPlan: authedProcedure
    .input(InSession.extend({ promptId: z.string().optional(), redo: z.boolean().optional() }))
    .query(async ({ ctx, input, signal }) => {
      const { sessionId, ...wanted } = input;
      const found = throwIfRefused(await ctx.sessions.find(sessionId));
      await waitForUndo(found, signal);
      return throwIfRefused(await planUndo(wanted, await found.log.readAll(), found.state.workspace, ctx.services));
    }),

  /** The files that a session changed, or with a prompt those of its turn, with the lines of each change. */
  changes: authedProcedure
    .input(InSession.extend({ promptId: z.string().optional() }))
    .query(async ({ ctx, input: { sessionId, promptId } }) => {
      const found = throwIfRefused(await ctx.sessions.find(sessionId));
      const { snapshots } = ctx.services;
      const readBlob = (hash: string) => ctx.uploads.read(hash);
      return sessionChanges({ promptId }, await found.log.readAll(), found.state.workspace, { snapshots, readBlob });
    }),

  /** How many files and lines sessions changed, and the last line of each. Sessions that do not exist are left out. */
  summaries: authedProcedure
    .input(z.object({ sessionIds: z.array(SessionId).max(MAX_SUMMARIES) }))
    .query(async ({ ctx, input: { sessionIds } }) => {
      const rows = await ctx.sessions.lists.rows(sessionIds);
      return Promise.all(rows.map(async ({ id }) => ({ id, ...(await ctx.summaries.of(id)) })));
    }),

  /** The files that sessions changed during the last day, with the sessions. Those that several sessions changed come first. */
  editedFiles: authedProcedure.query(({ ctx }) => editedFiles(ctx.services.editors, ctx.sessions.lists)),

  /** The parts of the next step's context: the system prompt, instructions, tools, messages and results, with their sizes in tokens. */
  context: authedProcedure
    .input(InSession)
    .query(async ({ ctx, input: { sessionId } }) => contextReport(throwIfRefused(await ctx.sessions.find(sessionId)))),

  /** Starts a session that repeats another one, to its end or to an event. */
  fork: commandProcedure
    .input(InSession.extend({ at: z.number().int().positive().optional() }))
    .mutation(async ({ ctx, input: { sessionId, at } }) =>
      throwIfRefused(await ctx.sessions.fork(sessionId, ctx.commandId, ctx.actor, at)),
    ),

  /**
   * Starts a session from the events of an export, which may arrive in parts. `from`: how many events came before. Returns its
   * id with the last part.
   */
  import: commandProcedure
    .input(
      z.object({
        workspace: z.string(),
        events: z.array(Exported).min(1).max(MAX_EVENTS_PER_PIECE),
        from: z.number().int().min(0).max(MAX_EVENTS).default(0),
        last: z.boolean().default(true),
      }),
    )
    .mutation(async ({ ctx, input: { commandId: _, workspace, ...piece } }) =>
      throwIfRefused(await ctx.sessions.import(piece, await folder(workspace), ctx.commandId, ctx.actor)),
    ),

  /** Deletes a session and its children. */
  delete: commandProcedure
    .input(InSession)
    .mutation(
      idempotent(
        async ({ ctx, input: { sessionId } }) => throwIfRefused(await ctx.sessions.delete(sessionId, { commandId: ctx.commandId })),
        { storesAnswer: true },
      ),
    ),

  /** The sessions, newest first. */
  list: authedProcedure
    .input(
      z.object({
        workspace: z.string().optional(),
        archived: z.boolean().optional(),
        limit: z.number().int().positive().max(10_000).optional(),
      }),
    )
    .query(({ ctx, input: { workspace, archived, limit } }) =>
      ctx.sessions.lists.sessions({
        ...omitUndefined({ workspace, archived, limit }),
      }),
    ),

  /**
   * Finds prompts, answers, commands with their outputs, and paths in all sessions: those that contain every word of the query. `since`
   * and `until` are in epoch milliseconds, and `file` is the end of a path.
   */
  search: authedProcedure
    .input(
      z.object({
        query: z.string(),
        workspace: z.string().optional(),
        mode: z.string().optional(),
        since: z.number().optional(),
        until: z.number().optional(),
        file: z.string().optional(),
        limit: z.number().int().positive().max(200).optional(),
      }),
    )
    .query(async ({ ctx, input }) => throwIfRefused(await ctx.search(input))),

  /**
   * The current state, and the newest part of the transcript: whole steps with at least `tail` events, if there are as many.
   */
  open: authedProcedure
    .input(InSession.extend({ tail: z.number().int().positive().max(5_000).default(400) }))
    .query(async ({ ctx, input: { sessionId, tail } }) => {
      const found = throwIfRefused(await ctx.sessions.find(sessionId));
      const { state, seq } = found;
      return { id: found.id, state, seq, ...(await readTranscriptPage(found, seq + 1, tail)) };
    }),

  /** Events before `before`: whole steps with at least `atLeast` events, if there are as many. */
  page: authedProcedure
    .input(InSession.extend({ before: z.number().int().positive(), atLeast: z.number().int().positive().max(5_000).default(400) }))
    .query(async ({ ctx, input: { sessionId, before, atLeast } }) =>
      readTranscriptPage(throwIfRefused(await ctx.sessions.find(sessionId)), before, atLeast),
    ),

  /** Yields every event after a position, and pieces of streaming text. */
  follow: authedProcedure
    .input(InSession.extend({ after: z.number().int().nonnegative().default(0), lastEventId: z.string().nullish() }))
    .subscription(async function* ({ ctx, input: { sessionId, after, lastEventId }, signal = new AbortController().signal }) {
      const { clock } = ctx.services;
      const found = throwIfRefused(await readWithRetry(() => ctx.sessions.find(sessionId), clock, signal));
      const last = parsePosition(lastEventId);
      const from = last.seq < after ? { seq: after, at: undefined } : last;
      if (!(await readWithRetry(() => isInLog(found, from), clock, signal)))
        throwRefusal("resync", "The log has changed. Open the session again.");
      yield* followSession(found, from.seq, ctx.socket, signal);
    }),

  /** The whole list of sessions, now and soon after every change. With `changes`, only changes after the first message. */
  followList: authedProcedure
    .input(z.object({ workspace: z.string().optional(), changes: z.boolean().default(false), lastEventId: z.string().nullish() }))
    .subscription(async function* ({
      ctx,
      input: { workspace, changes: onlyChanges, lastEventId },
      signal = new AbortController().signal,
    }) {
      const { changes, lists } = ctx.sessions;
      const options = { socket: ctx.socket, clock: ctx.services.clock, signal, restMs: 100 };
      if (onlyChanges) yield* streamSessionList(ctx.sessions, { ...options, workspace, lastEventId });
      else yield* watchValue(changes.list, () => lists.sessions(workspace === undefined ? {} : { workspace }), options);
    }),
});

/** The folders by their real paths. A rule cannot name one with a wildcard in its path. */
async function realRoots(roots: readonly AdditionalRoot[], workspace: string): Promise<AdditionalRoot[]> {
  const real = await Promise.all(roots.map(async ({ path: name, readOnly }) => ({ path: await folder(name), readOnly })));
  for (const { path: root } of real) {
    if (/[*?]/.test(root)) throwRefusal("root_invalid", `${root} contains * or ?, so no rule can name it.`);
    if (root === workspace) throwRefusal("root_invalid", `${root} is the workspace of the session already.`);
    if (root === path.parse(root).root) throwRefusal("root_invalid", `${root} is the whole disk. Name the folder that the session needs.`);
  }
  return real;
}

/** The real path of a folder. */
async function folder(given: string): Promise<string> {
  const folderPath = expandHome(given);
  if (!path.isAbsolute(folderPath)) return throwRefusal("workspace_not_found", `The workspace ${folderPath} is not an absolute path.`);
  const real = await realpath(folderPath).catch(() =>
    throwRefusal("workspace_not_found", `There is no folder ${folderPath}. Name an existing folder.`),
  );
  if (!(await stat(real)).isDirectory())
    return throwRefusal("workspace_not_found", `${folderPath} is not a folder. Name the folder to work in.`);
  return real;
}
