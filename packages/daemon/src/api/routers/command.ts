import type { BackgroundCommand } from "@baton/core/session/background-command";
import { tracked } from "@trpc/server";
import * as z from "zod";
import type { ApiContext } from "../api-context.ts";
import { waitUntilDrained } from "../http/backpressure.ts";
import { idempotent } from "../idempotency.ts";
import { authedProcedure, commandProcedure, throwIfRefused, throwRefusal, router } from "../trpc.ts";

/** A command by its session and the call that started it. */
const OfCall = z.object({ sessionId: z.string(), id: z.string() });

const MAX_TYPED = 65_536;
const MAX_CELLS = 500;
const Cells = z.int().min(1).max(MAX_CELLS);
const TerminalSize = z.object({ columns: Cells.min(2), rows: Cells });

/** Background commands: list, follow and stop them, and use their terminals. */
export const command = router({
  /** The background commands of a session, or of the newest sessions, newest first. */
  list: authedProcedure
    .input(z.object({ sessionId: z.string().optional(), workspace: z.string().optional() }))
    .query(async ({ ctx, input }) => {
      if (input.sessionId !== undefined) throwIfRefused(await ctx.sessions.find(input.sessionId));
      return (await ctx.commands.read(input)).map((each) => withStatus(each, ctx));
    }),

  /**
   * Yields the kept output of a command after a position at once, and then new output until the command ends. The last message has its end.
   * Positions count characters.
   */
  follow: authedProcedure
    .input(OfCall.extend({ after: z.number().int().nonnegative().default(0), lastEventId: z.string().nullish() }))
    .subscription(async function* ({ ctx, input: { sessionId, id, after, lastEventId }, signal = new AbortController().signal }) {
      let position = Number(lastEventId ?? after) || 0;
      for (let isFirst = true; ; isFirst = false) {
        const how = { wait: !isFirst, signal };
        const part = await ctx.commands.monitor.read({ sessionId, callId: id }, position, how).catch(ignoreAbort(signal));
        if (signal.aborted) return;
        if (!part) return notHere(id);
        position = part.start + part.text.length;
        yield tracked(String(position), part);
        if (part.end) return;
        await waitUntilDrained(ctx.socket, ctx.services.clock, signal);
        await ctx.services.clock.wait(REST_MS, signal).catch(ignoreAbort(signal));
      }
    }),

  /**
   * Yields the screen of a command's terminal: the whole screen at once, and then its changes until the command ends. The last message has
   * the end.
   */
  watch: authedProcedure.input(OfCall).subscription(async function* ({
    ctx,
    input: { sessionId, id },
    signal = new AbortController().signal,
  }) {
    const frames = ctx.commands.monitor.watch({ sessionId, callId: id }, signal) ?? noTerminal(id);
    for await (const frame of frames) {
      yield frame;
      await waitUntilDrained(ctx.socket, ctx.services.clock, signal);
    }
  }),

  /**
   * Types into a command's terminal for the user. With `size` the terminal takes the size of the client. A call that is sent again types
   * again, so clients do not repeat it.
   */
  type: authedProcedure
    .input(OfCall.extend({ data: z.string().max(MAX_TYPED), size: TerminalSize.optional() }))
    .mutation(({ ctx, input: { sessionId, id, data, size } }) => {
      if (!ctx.commands.monitor.type({ sessionId, callId: id }, { data, size })) noTerminal(id);
      return { typed: data.length };
    }),

  /** Stops a command with its child processes, and returns how it ended. */
  stop: commandProcedure.input(OfCall).mutation(
    idempotent(async ({ ctx, input: { sessionId, id } }) => {
      const end = await ctx.commands.monitor.stop({ sessionId, callId: id });
      return end ?? notHere(id);
    }),
  ),
});

/** The minimum pause between two messages with output, in milliseconds. */
const REST_MS = 50;

/** The log alone does not know whether a command without an end still runs. */
function withStatus(row: BackgroundCommand, { commands }: Pick<ApiContext, "commands">): BackgroundCommand {
  const hasTerminal = commands.monitor.hasTerminal({ sessionId: row.sessionId, callId: row.id });
  const each: BackgroundCommand = hasTerminal ? { ...row, terminal: true } : row;
  if (each.status !== "running") return each;
  const status = commands.monitor.status({ sessionId: each.sessionId, callId: each.id });
  if (status === "running") return each;
  if (!status) return { ...each, status: "unknown" };
  const { reason, exitCode } = status; // the log learns of it in a moment
  return { ...each, status: reason, ...(reason === "exited" ? { exitCode } : {}) };
}

const ignoreAbort =
  (signal: AbortSignal) =>
  (error: unknown): undefined => {
    if (!signal.aborted) throw error;
  };

const noTerminal = (id: string): never =>
  throwRefusal(
    "command_not_found",
    `No command ${id.slice(0, 60)} of this session has a terminal that runs. \`baton background\` lists the commands.`,
  );

const notHere = (id: string): never =>
  throwRefusal(
    "command_not_found",
    `Baton has no output of a background command ${id.slice(0, 60)} in this session. Output is kept until the daemon stops. \`baton background\` lists the commands.`,
  );
