import { realpath } from "node:fs/promises";
import type { Verdict } from "@baton/core/protocol/rule";
import fuzzysort from "fuzzysort";
import * as z from "zod";
import { callPorts } from "../../session/calls/call-ports.ts";
import { authedProcedure, commandProcedure, refused, router } from "../trpc.ts";

const MAX_SHOWN = 50;

/** The whole workspace, judged as a search by the user. */
const everywhere: Verdict = {
  effect: "allow",
  rule: null,
  accesses: [{ action: "read", resource: ".", effect: "allow", rule: null }],
  why: "asked by the user",
};

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
    .query(async ({ ctx, input: { cwd, query }, signal = new AbortController().signal }) => {
      const folder = await realFolder(cwd);
      const { search } = callPorts(
        everywhere,
        { mode: ctx.services.settings.defaultMode(folder), workspace: folder, grants: [], ceilings: [] },
        ctx.services,
      );
      const found = await search.files({}, signal);
      if ("fault" in found) return [];
      return query === ""
        ? found.files.slice(0, MAX_SHOWN)
        : fuzzysort.go(query, found.files, { limit: MAX_SHOWN, threshold: 0 }).map(({ target }) => target);
    }),
});

const realFolder = (cwd: string): Promise<string> =>
  realpath(cwd).catch(() => refused("workspace_not_found", `There is no folder ${cwd}.`));
