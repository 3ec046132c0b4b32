import { realpath } from "node:fs/promises";
import * as z from "zod";
import { authedProcedure, commandProcedure, refused, router } from "../trpc.ts";

/** Workspaces: facts about a folder. */
export const workspace = router({
  /** Whether a folder is trusted, and which of its files take effect if it is. */
  status: authedProcedure.input(z.object({ cwd: z.string() })).query(async ({ ctx, input: { cwd } }) => {
    const folder = await realFolder(cwd);
    await ctx.workspaces.load(folder);
    return { workspace: folder, trust: ctx.workspaces.trust(folder), files: ctx.services.permissions.projectFiles(folder) };
  }),

  /** The user decides whether a folder is trusted. */
  trust: commandProcedure.input(z.object({ cwd: z.string(), trusted: z.boolean() })).mutation(async ({ ctx, input: { cwd, trusted } }) => {
    const folder = await realFolder(cwd);
    await ctx.workspaces.load(folder);
    await ctx.services.permissions.resolveTrust(folder, trusted, ctx.actor);
    return { workspace: folder, trust: ctx.workspaces.trust(folder) };
  }),

  /** The slash commands that a prompt may begin with here. */
  commands: authedProcedure
    .input(z.object({ cwd: z.string() }))
    .query(async ({ ctx, input: { cwd } }) => ctx.prompts.guidance.commands(await ctx.loadWorkspace(cwd))),

  /** Files whose path resembles `query`, best first, for completion. Leaves out ignored files. */
  files: authedProcedure
    .input(z.object({ cwd: z.string(), query: z.string().max(200) }))
    .query(async ({ ctx, input: { cwd, query } }) => ctx.files.find(await realFolder(cwd), query)),
});

const realFolder = (cwd: string): Promise<string> =>
  realpath(cwd).catch(() => refused("workspace_not_found", `There is no folder ${cwd}.`));
