import { realpath, stat } from "node:fs/promises";
import path from "node:path";
import { ClientCommand } from "@baton/core/protocol/command";
import { SessionEvent } from "@baton/core/protocol/event";
import { ModeSlug } from "@baton/core/protocol/mode";
import { upcast } from "@baton/core/protocol/upcast";
import * as z from "zod";
import { readTranscriptPage } from "../../session/history/transcript-page.ts";
import { planUndo } from "../../session/history/undo-changes.ts";
import { watchValue } from "../watch-value.ts";
import { followSessionList } from "../follow-session-list.ts";
import { followSession, isInLog, parsePosition } from "../follow-session.ts";
import { readWithRetry } from "../read-with-retry.ts";
import { idempotent } from "../idempotency.ts";
import { authedProcedure, commandProcedure, refused, router, settled } from "../trpc.ts";

const Lifted = z.looseObject({ type: z.string() }).transform((event) => upcast(event));

/** An event of an export: as it lay in the log of this version, or of an earlier one. */
const Exported = Lifted.pipe(z.intersection(SessionEvent, z.object({ seq: z.number().int().positive(), at: z.number() })));

const MAX_EVENTS_PER_PIECE = 100_000;
const MAX_EVENTS = 1_000_000;

/** What makes a session work: its requests are those of who wished it. */
const PROMPTS: ReadonlySet<ClientCommand["type"]> = new Set(["prompt", "coordinate", "resume", "retry"]);

const InSession = z.object({ sessionId: z.string() });

/** Sessions: begin one, wish something of it, look at it, follow it. */
export const session = router({
  create: commandProcedure
    .input(
      z.object({
        workspace: z.string(),
        mode: ModeSlug.optional(),
        model: z.string().optional(),
        askTrust: z.boolean().optional(),
      }),
    )
    .mutation(async ({ ctx, input: { workspace, mode, model, askTrust } }) => {
      const cwd = await ctx.loadWorkspace(await folder(workspace));
      const { steps, ...limits } = ctx.services.settings.limits(cwd);
      const wish = {
        workspace: cwd,
        mode: mode ?? ctx.services.settings.defaultMode(cwd),
        stepLimit: steps,
        limits,
        by: ctx.actor,
        ...(model === undefined ? {} : { model }),
        ...(askTrust === undefined ? {} : { askTrust }),
      };
      return settled(await ctx.sessions.create(wish, ctx.commandId));
    }),

  send: commandProcedure.input(InSession.extend({ wish: ClientCommand })).mutation(async ({ ctx, input: { sessionId, wish } }) => {
    const found = settled(await ctx.sessions.find(sessionId));
    if (PROMPTS.has(wish.type)) ctx.editor.windows.prompted(ctx.socket, sessionId);
    if (wish.type !== "prompt") return settled(await found.handle({ ...wish, by: ctx.actor }, ctx.commandId));
    const meant = await ctx.prompts.expand(found.state.workspace, wish.text);
    if ("problem" in meant) return refused("mcp_prompt_impossible", meant.problem);
    return settled(await found.handle({ ...wish, text: meant.text, by: ctx.actor }, ctx.commandId));
  }),

  /** What undoing to before a prompt would do to files, or to before the newest turn that changed any; or a redo. */
  undoPlan: authedProcedure
    .input(InSession.extend({ promptId: z.string().optional(), redo: z.boolean().optional() }))
    .query(async ({ ctx, input }) => {
      const { sessionId, ...wanted } = input;
      const found = settled(await ctx.sessions.find(sessionId));
      return settled(await planUndo(wanted, await found.read(0, Number.MAX_SAFE_INTEGER), found.state.workspace, ctx.services));
    }),

  fork: commandProcedure
    .input(InSession.extend({ at: z.number().int().positive().optional() }))
    .mutation(async ({ ctx, input: { sessionId, at } }) => settled(await ctx.sessions.fork(sessionId, ctx.commandId, ctx.actor, at))),

  /** A new session of the events of an export, which may come in pieces: `from` says how many came before. Its id with the last one. */
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
      settled(await ctx.sessions.import(piece, await folder(workspace), ctx.commandId, ctx.actor)),
    ),

  /** Removes a session and its children for good. */
  delete: commandProcedure
    .input(InSession)
    .mutation(idempotent(async ({ ctx, input: { sessionId } }) => settled(await ctx.sessions.delete(sessionId)))),

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
        ...(workspace === undefined ? {} : { workspace }),
        ...(archived === undefined ? {} : { archived }),
        ...(limit === undefined ? {} : { limit }),
      }),
    ),

  /** The state now, and the newest part of the transcript: whole steps, at least `tail` events where there are as many. */
  open: authedProcedure
    .input(InSession.extend({ tail: z.number().int().positive().max(5_000).default(400) }))
    .query(async ({ ctx, input: { sessionId, tail } }) => {
      const found = settled(await ctx.sessions.find(sessionId));
      const { state, seq } = found;
      return { id: found.id, state, seq, ...(await readTranscriptPage(found, seq + 1, tail)) };
    }),

  /** Events before `before`, whole steps, at least `atLeast` where there are as many. */
  page: authedProcedure
    .input(InSession.extend({ before: z.number().int().positive(), atLeast: z.number().int().positive().max(5_000).default(400) }))
    .query(async ({ ctx, input: { sessionId, before, atLeast } }) =>
      readTranscriptPage(settled(await ctx.sessions.find(sessionId)), before, atLeast),
    ),

  follow: authedProcedure
    .input(InSession.extend({ after: z.number().int().nonnegative().default(0), lastEventId: z.string().nullish() }))
    .subscription(async function* ({ ctx, input: { sessionId, after, lastEventId }, signal = new AbortController().signal }) {
      const { clock } = ctx.services;
      const found = settled(await readWithRetry(() => ctx.sessions.find(sessionId), clock, signal));
      const last = parsePosition(lastEventId);
      const from = last.seq < after ? { seq: after, at: undefined } : last;
      if (!(await readWithRetry(() => isInLog(found, from), clock, signal)))
        refused("resync", "The log has changed since: open the session again.");
      yield* followSession(found, from.seq, ctx.socket, signal);
    }),

  /** The list of sessions, whole, at first and soon after every change; with `changes` only what has changed after that. */
  followList: authedProcedure
    .input(z.object({ workspace: z.string().optional(), changes: z.boolean().default(false), lastEventId: z.string().nullish() }))
    .subscription(async function* ({
      ctx,
      input: { workspace, changes: onlyChanges, lastEventId },
      signal = new AbortController().signal,
    }) {
      const { changes, lists } = ctx.sessions;
      const options = { socket: ctx.socket, clock: ctx.services.clock, signal, restMs: 100 };
      if (onlyChanges) yield* followSessionList(ctx.sessions, { ...options, workspace, lastEventId });
      else yield* watchValue(changes.list, () => lists.sessions(workspace === undefined ? {} : { workspace }), options);
    }),
});

/** A folder as its real path. */
async function folder(given: string): Promise<string> {
  if (!path.isAbsolute(given)) return refused("workspace_not_found", `The workspace ${given} is not an absolute path.`);
  const real = await realpath(given).catch(() => refused("workspace_not_found", `There is no folder ${given}. Name an existing folder.`));
  if (!(await stat(real)).isDirectory()) return refused("workspace_not_found", `${given} is not a folder. Name the folder to work in.`);
  return real;
}
