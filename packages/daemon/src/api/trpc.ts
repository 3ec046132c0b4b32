import { describeIssues, invalidInput } from "@baton/core/client/describe-issues";
import { CommandId } from "@baton/core/protocol/ids";
import { refuse, type Refusal, type RefusalCode } from "@baton/core/protocol/refusal";
import { initTRPC, TRPCError } from "@trpc/server";
import * as z from "zod";
import type { ApiContext } from "./api-context.ts";

const t = initTRPC.context<ApiContext>().create({
  errorFormatter: ({ shape, error, input }) => ({
    ...shape,
    message: error.cause instanceof z.ZodError ? invalidInput(describeIssues(error.cause, input)) : shape.message,
    data: { ...shape.data, stack: undefined, refusal: error.cause instanceof Refused ? error.cause.refusal : undefined },
  }),
});

export const { router, mergeRouters } = t;

/** A procedure for clients that have shown the token. It reads the config again first, if the file has changed. */
export const authedProcedure = t.procedure.use(async ({ ctx, next }) => {
  if (!ctx.actor) throw new TRPCError({ code: "UNAUTHORIZED", message: "This connection has not shown the daemon's token." });
  await ctx.config.refresh();
  return next({ ctx: { ...ctx, actor: ctx.actor } });
});

/**
 * A procedure that changes something. `ctx.commandId` identifies the command: a client that lost the answer sends the command
 * again with the same id, and it takes effect once. A command without an id gets one of its own.
 */
export const commandProcedure = authedProcedure
  .input(z.object({ commandId: CommandId.optional() }))
  .use(({ ctx, input, next }) => next({ ctx: { ...ctx, commandId: input.commandId ?? CommandId.parse(crypto.randomUUID()) } }));

/** The error for a refusal. This table maps refusals to codes of the transport. */
class Refused extends Error {
  readonly refusal: Refusal;
  constructor(refusal: Refusal) {
    super(refusal.message);
    this.refusal = refusal;
  }
}

const transport: Record<RefusalCode, TRPCError["code"]> = {
  catalog_invalid: "BAD_REQUEST",
  session_not_found: "NOT_FOUND",
  session_exists: "CONFLICT",
  session_read_only: "FORBIDDEN",
  request_not_found: "NOT_FOUND",
  already_answered: "CONFLICT",
  choice_not_offered: "BAD_REQUEST",
  hash_mismatch: "CONFLICT",
  answer_incomplete: "BAD_REQUEST",
  rule_too_wide: "BAD_REQUEST",
  rule_invalid: "BAD_REQUEST",
  nothing_running: "CONFLICT",
  nothing_queued: "CONFLICT",
  busy: "CONFLICT",
  rewind_impossible: "BAD_REQUEST",
  fork_impossible: "BAD_REQUEST",
  import_impossible: "BAD_REQUEST",
  nothing_to_undo: "CONFLICT",
  nothing_to_redo: "CONFLICT",
  nothing_to_compact: "CONFLICT",
  key_not_found: "NOT_FOUND",
  provider_not_found: "NOT_FOUND",
  undo_conflict: "CONFLICT",
  command_not_found: "NOT_FOUND",
  command_not_in_mode: "BAD_REQUEST",
  prompt_not_found: "NOT_FOUND",
  prompt_empty: "BAD_REQUEST",
  mode_not_found: "NOT_FOUND",
  mode_unchanged: "CONFLICT",
  mode_invalid: "BAD_REQUEST",
  mode_read_only: "FORBIDDEN",
  duplicate_slug: "CONFLICT",
  workspace_untrusted: "FORBIDDEN",
  model_not_found: "NOT_FOUND",
  no_model: "PRECONDITION_FAILED",
  model_failed: "BAD_GATEWAY",
  limit_reached: "PRECONDITION_FAILED",
  nothing_to_commit: "BAD_REQUEST",
  grant_not_found: "NOT_FOUND",
  blob_too_large: "PAYLOAD_TOO_LARGE",
  too_large: "PAYLOAD_TOO_LARGE",
  blob_not_found: "NOT_FOUND",
  workspace_not_found: "NOT_FOUND",
  tool_not_found: "NOT_FOUND",
  hook_not_found: "NOT_FOUND",
  plugin_invalid: "BAD_REQUEST",
  plugin_exists: "CONFLICT",
  plugin_not_found: "NOT_FOUND",
  place_not_found: "NOT_FOUND",
  root_not_found: "NOT_FOUND",
  root_invalid: "BAD_REQUEST",
  place_impossible: "PRECONDITION_FAILED",
  place_in_use: "CONFLICT",
  place_conflict: "CONFLICT",
  config_broken: "CONFLICT",
  setting_invalid: "BAD_REQUEST",
  mcp_server_not_found: "NOT_FOUND",
  mcp_server_exists: "CONFLICT",
  mcp_login_impossible: "BAD_REQUEST",
  mcp_listing_invalid: "BAD_REQUEST",
  mcp_prompt_impossible: "BAD_REQUEST",
  profile_elsewhere: "CONFLICT",
  search_invalid: "BAD_REQUEST",
  search_unavailable: "SERVICE_UNAVAILABLE",
  resync: "CONFLICT",
  stalled: "SERVICE_UNAVAILABLE",
  stopping: "SERVICE_UNAVAILABLE",
};

/** Returns the value, or throws the refusal as an error of the transport. */
export function throwIfRefused<T extends object>(result: T | { refused: Refusal }): T {
  if (!("refused" in result)) return result;
  const { refused } = result;
  throw new TRPCError({ code: transport[refused.code], message: refused.message, cause: new Refused(refused) });
}

export const throwRefusal = (code: RefusalCode, message: string): never => throwIfRefused<never>(refuse(code, message));
