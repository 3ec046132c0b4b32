import { Grant } from "@baton/core/protocol/rule";
import * as z from "zod";
import type { Group } from "@baton/core/protocol/mode";
import { groupLimitText } from "@baton/core/text/tool-group-limits-text";
import { offeredTools } from "../../session/turn/offered-tools.ts";
import { isFreeInSandbox } from "../../session/calls/judge/judge-sandbox.ts";
import { knownModels } from "../known-models.ts";
import { authedProcedure, throwRefusal, router } from "../trpc.ts";

/** The daemon itself: its status, its modes and tools, and stopping it. */
export const daemon = router({
  /** With a folder, includes problems of its project's settings, and of no other project. */
  status: authedProcedure.input(z.object({ cwd: z.string() }).optional()).query(async ({ ctx, input }) => {
    return ctx.daemon.status(input && (await ctx.loadWorkspace(input.cwd)));
  }),

  /** The JSON Schema of config.jsonc. */
  configSchema: authedProcedure.query(({ ctx }) => ctx.config.schema()),

  /** Answers first, then stops. */
  stop: authedProcedure.mutation(({ ctx }) => {
    setImmediate(ctx.daemon.stop);
    return { stopping: true };
  }),

  /** An address that opens the page once, within a minute. */
  openPage: authedProcedure.mutation(({ ctx }) => ({ url: `http://127.0.0.1:${ctx.daemon.status().port}/#${ctx.auth.login.code()}` })),

  /** The modes of a workspace. Without one, the modes that every workspace has. */
  modes: authedProcedure.input(z.object({ cwd: z.string().optional() }).optional()).query(async ({ ctx, input }) => {
    const cwd = await ctx.loadWorkspace(input?.cwd ?? "");
    return ctx.services.modes(cwd).all();
  }),

  /** The tools that a mode offers, and why it does not offer the others. */
  tools: authedProcedure
    .input(z.object({ mode: z.string().optional(), model: z.string().optional(), cwd: z.string(), grants: z.array(Grant).default([]) }))
    .query(async ({ ctx, input: { mode, model, cwd: given, grants } }) => {
      const cwd = await ctx.loadWorkspace(given);
      const slug = mode ?? ctx.services.settings.defaultMode(cwd);
      const { get, all } = ctx.services.modes(cwd);
      const found = get(slug);
      if (!found)
        return throwRefusal(
          "mode_not_found",
          `There is no mode "${slug}". The modes are: ${all()
            .map((known) => known.slug)
            .join(", ")}.`,
        );
      const hasSandbox = ctx.services.sandbox.isReady() && ctx.services.permissions.trust(cwd) === "trusted";
      const { offered, withheld } = offeredTools(found, { workspace: cwd, roots: [], grants, ceilings: [] }, ctx.services, model);
      return {
        mode: slug,
        offered: offered.map(({ tool, effect, rule }) => ({
          name: tool.name,
          group: tool.group ?? null,
          effect,
          rule,
          /** The limits of the tool's group in this mode, in a few words. */
          only: (tool.group && groupLimitText(found.groups.map(withoutNames), tool.group)) || null,
          /** Calls that stay in the sandbox do not ask. */
          freeInSandbox: hasSandbox && isFreeInSandbox(tool, effect, rule),
          hints: tool.hints ?? { readOnly: tool.kind === "acting" && tool.replay === "safe" },
        })),
        withheld: withheld.map(({ tool, reason }) => ({ name: tool.name, group: tool.group ?? null, reason })),
      };
    }),

  /** The language servers that can check the code of a folder, and where each was found. */
  languageServers: authedProcedure.input(z.object({ cwd: z.string() })).query(async ({ ctx, input }) => {
    const cwd = await ctx.loadWorkspace(input.cwd);
    return { trusted: ctx.services.permissions.trust(cwd) === "trusted", servers: ctx.daemon.languageServers(cwd) };
  }),

  /** Every model that is known by name, for a list of choices. A client may name others. */
  models: authedProcedure.query(async ({ ctx }) => {
    await ctx.models.registry.load();
    return knownModels(ctx.config.now().config, ctx.models.registry);
  }),

  /** The model that a session would use, and the problem if it cannot be used. */
  model: authedProcedure.input(z.object({ model: z.string().optional() })).query(({ ctx, input }) => {
    const resolved = ctx.models.registry.resolve([input.model]);
    if ("code" in resolved) return { id: null, problem: resolved.message };
    return { id: resolved.id, problem: ctx.models.registry.keyProblem(resolved.id) ?? null };
  }),
});

/** The limits of a group besides the names of its tools, which the list shows anyway. */
function withoutNames(group: Group): Group {
  if (typeof group === "string") return group;
  const { tools: _, ...limits } = group;
  return limits;
}
