import { act } from "@baton/core/toolset/act";
import { ToolsetName } from "@baton/core/protocol/toolset";
import { toolsetTools } from "@baton/core/toolset/definition";
import * as z from "zod";
import { equipFor } from "../session/equip.ts";
import { elsewhere } from "./toolset-elsewhere.ts";
import { authed, router, settled } from "./trpc.ts";

/** The profile that holds the toolsets of the person's sessions. */
const SHARED = "default";

/** Toolsets, as a person uses them: the same ten tools, without being asked. */
export const toolset = router({
  /** One of the ten tools on a profile. The answer may be a failure. */
  act: authed
    .input(z.object({ cwd: z.string(), profile: ToolsetName.default(SHARED), tool: z.enum(toolsetTools), input: z.unknown() }))
    .mutation(async ({ ctx, input: { cwd, profile, tool, input } }): Promise<Record<string, unknown>> => {
      const workspace = await ctx.look(cwd);
      await ctx.parts.servers.warm(workspace, AbortSignal.timeout(WARM_MS));
      const opened = await ctx.profiles.open(profile);
      const catalogue = ctx.parts.toolsets.catalogue(workspace);
      const acted = await opened.change((standing) => act(tool, input, standing, catalogue, ctx.parts.clock.now()));
      const named = typeof input === "object" && input !== null && "name" in input ? input.name : undefined;
      return acted.ok ? acted.answer : elsewhere(acted, named, profile, ctx.profiles);
    }),

  /** Gives a session a toolset, or all tools again (null). */
  equip: authed
    .input(z.object({ sessionId: z.string(), name: z.string().nullable(), acceptChanges: z.boolean().default(false) }))
    .mutation(async ({ ctx, input: { sessionId, name, acceptChanges } }) => {
      const found = settled(await ctx.sessions.find(sessionId));
      await ctx.parts.servers.warm(found.state.workspace, AbortSignal.timeout(WARM_MS));
      return elsewhere(await equipFor(found, name, acceptChanges, ctx.actor), name, SHARED, ctx.profiles);
    }),
});

const WARM_MS = 5_000;
