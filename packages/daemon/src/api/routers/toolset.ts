import { executeToolsetManagementTool } from "@baton/core/toolset/execute-toolset-management-tool";
import { ToolsetName } from "@baton/core/protocol/toolset/toolset-profile";
import { toolsetTools } from "@baton/core/toolset/toolset-inputs";
import { toolsetFailure, suggestNames } from "@baton/core/toolset/toolset-tool-failure";
import * as z from "zod";
import { equipSessionToolset } from "../../session/servers/change-session-toolset.ts";
import { idempotent } from "../idempotency.ts";
import { authedProcedure, commandProcedure, throwRefusal, router, throwIfRefused } from "../trpc.ts";
import type { EndpointProfiles } from "../../mcp/endpoint/endpoint-profiles.ts";

/** The profile for the toolsets of the user's sessions. */
const SHARED = "default";

/** Toolsets for the user: the same ten tools, without a question. */
export const toolset = router({
  /** Runs one of the ten tools on a profile. The answer may be a failure. */
  act: commandProcedure
    .input(z.object({ cwd: z.string(), profile: ToolsetName.default(SHARED), tool: z.enum(toolsetTools), input: z.unknown() }))
    .mutation(
      idempotent(async ({ ctx, input: { cwd, profile, tool, input } }): Promise<Record<string, unknown>> => {
        const workspace = await ctx.loadWorkspace(cwd);
        await ctx.services.servers.warm(workspace, undefined, AbortSignal.timeout(WARM_MS));
        const opened = await ctx.mcp.profiles.open(profile);
        const catalog = ctx.services.toolsets.catalog(workspace);
        const result = await opened.change((toolsetState) =>
          executeToolsetManagementTool(tool, input, toolsetState, catalog, ctx.services.clock.now()),
        );
        const named = typeof input === "object" && input !== null && "name" in input ? input.name : undefined;
        return result.ok ? result.answer : otherProfileHint(result, named, profile, ctx.mcp.profiles);
      }),
    ),

  /** Gives a toolset to all sessions in a mode that have none of their own. Null removes it. */
  equipMode: commandProcedure.input(z.object({ cwd: z.string(), mode: z.string(), name: ToolsetName.nullable() })).mutation(
    idempotent(async ({ ctx, input: { cwd, mode, name } }): Promise<Record<string, unknown>> => {
      const modes = ctx.modes.registry.listed(await ctx.loadWorkspace(cwd)).modes.map(({ slug }) => slug);
      if (!modes.includes(mode)) return throwRefusal("mode_not_found", `There is no mode ${mode}. The modes are: ${modes.join(", ")}.`);
      const { toolsets } = ctx.mcp.profiles.known(SHARED).state;
      if (name !== null && !Object.hasOwn(toolsets, name))
        return otherProfileHint(
          toolsetFailure("not_found", `There is no toolset ${name}.`, suggestNames(name, Object.keys(toolsets))),
          name,
          SHARED,
          ctx.mcp.profiles,
        );
      throwIfRefused(await ctx.config.setModeToolset(mode, name ?? undefined));
      return { ok: true, mode, toolset: name };
    }),
  ),

  /** The modes that have a toolset. */
  modes: authedProcedure.query(({ ctx }) =>
    Object.entries(ctx.config.now().config.modes ?? {}).flatMap(([mode, { toolset: name }]) =>
      name === undefined ? [] : [{ mode, toolset: name }],
    ),
  ),

  /** Gives a session a toolset, or that of its mode again (null). */
  equip: commandProcedure
    .input(z.object({ sessionId: z.string(), name: z.string().nullable(), acceptChanges: z.boolean().default(false) }))
    .mutation(
      idempotent(async ({ ctx, input: { sessionId, name, acceptChanges } }) => {
        const found = throwIfRefused(await ctx.sessions.find(sessionId));
        throwIfRefused(found.closed() ?? {});
        await ctx.services.servers.warm(found.state.workspace, undefined, AbortSignal.timeout(WARM_MS));
        return otherProfileHint(await equipSessionToolset(found, name, acceptChanges, ctx.actor), name, SHARED, ctx.mcp.profiles);
      }),
    ),
});

const WARM_MS = 5_000;

/**
 * Extends the answer about a missing toolset with the profile in which the user built it, and the command to build it here.
 * Agents of the endpoint do not learn about other profiles.
 */
async function otherProfileHint(
  answer: Record<string, unknown>,
  name: unknown,
  profile: string,
  { holding }: EndpointProfiles,
): Promise<Record<string, unknown>> {
  if (answer["code"] !== "not_found" || typeof name !== "string") return answer;
  const found = await holding(name);
  if (!found) return answer;
  const tools = found.toolset.tools.map((pin) => pin.name).join(" ");
  const message =
    `There is no toolset ${name} in the profile ${profile}. It was built in the profile ${found.profile}. ` +
    `Each profile has its own toolsets. To build it here too: baton toolsets build ${name} ${tools} --profile ${profile}`;
  return { ...answer, message, suggestions: [] };
}
