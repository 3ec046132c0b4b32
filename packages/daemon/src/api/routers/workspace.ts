import { readdir } from "node:fs/promises";
import path from "node:path";
import * as z from "zod";
import { EnvironmentTool } from "@baton/core/protocol/config/dev-environment-tool";
import { preferredModels } from "@baton/core/mode/next-step-model";
import { commitMessage } from "../../session/files/commit-message.ts";
import { idempotent } from "../idempotency.ts";
import { authedProcedure, commandProcedure, throwIfRefused, throwRefusal, router } from "../trpc.ts";
import { expandHome, realFolder } from "../resolve-folder.ts";

const MAX_FOLDERS = 500;
/** In characters. The model sees less. */
const MAX_DIFF = 2_000_000;

/** A limit that no real session reaches. */
const MAX_ROOTS = 50;

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

  /** The tools that keep an environment for this folder, and which of them commands get. */
  environment: authedProcedure
    .input(z.object({ cwd: z.string() }))
    .query(async ({ ctx, input: { cwd } }) => ctx.services.environments.report(await ctx.loadWorkspace(cwd))),

  /**
   * Chooses the environment of commands in this folder. `hashes`: the files that the user has seen and approves. Null forgets the choice, so
   * Baton offers it again.
   */
  setEnvironment: commandProcedure
    .input(
      z.object({
        cwd: z.string(),
        tools: z.union([z.literal("none"), z.array(EnvironmentTool).min(1), z.null()]),
        hashes: z.array(z.string()).max(20).default([]),
      }),
    )
    .mutation(async ({ ctx, input: { cwd, tools, hashes } }) => {
      const folder = await ctx.loadWorkspace(cwd);
      const { environments, permissions } = ctx.services;
      if (tools !== null && tools !== "none") {
        if (permissions.trust(folder) !== "trusted")
          return throwRefusal(
            "workspace_untrusted",
            `${folder} is not trusted, so its environment is not used. Run \`baton trust\` first.`,
          );
        const found = (await environments.report(folder)).tools;
        const missing = tools.find((tool) => !found.some((each) => each.tool === tool && each.status !== "not installed"));
        if (missing !== undefined)
          return throwRefusal(
            "setting_invalid",
            `${folder} has no environment of ${missing} that works on this machine. \`baton environment\` lists them.`,
          );
        if (hashes.some((hash) => !found.some((each) => each.hash === hash)))
          return throwRefusal(
            "hash_mismatch",
            "A file of the environment has changed since it was shown. Look at it again, then approve it.",
          );
      }
      await environments.choose(folder, tools ?? undefined, hashes, ctx.actor ?? { daemon: true });
      return environments.report(folder);
    }),

  /** The slash commands that a prompt may begin with here. */
  commands: authedProcedure
    .input(z.object({ cwd: z.string() }))
    .query(async ({ ctx, input: { cwd } }) => ctx.prompts.guidance.commands(await ctx.loadWorkspace(cwd))),

  /**
   * A commit message for a diff, in the style of earlier subjects. It commits nothing. With a session, its model writes the message if
   * there is no small model, and its usage counts there.
   */
  commitMessage: commandProcedure
    .input(
      z.object({
        cwd: z.string(),
        diff: z.string().max(MAX_DIFF),
        recent: z.array(z.string().max(500)).max(30).default([]),
        sessionId: z.string().optional(),
      }),
    )
    .mutation(
      idempotent(async ({ ctx, input: { cwd, diff, recent, sessionId }, signal = new AbortController().signal }) => {
        const folder = await ctx.loadWorkspace(await realFolder(cwd));
        const session = sessionId === undefined ? undefined : throwIfRefused(await ctx.sessions.find(sessionId));
        const mode = session && ctx.services.modes(folder).get(session.state.mode);
        const model = session && preferredModels(session.state, mode).find((each) => each !== undefined);
        const { usage, ...written } = throwIfRefused(await commitMessage({ workspace: folder, diff, recent, model }, ctx.services, signal));
        if (usage && session) await session.note([{ type: "model.spent", usage }]);
        else if (usage) ctx.services.spending.add(usage.cost);
        return written;
      }),
    ),

  /** Copies the sample project of the demo to a new folder. Its model and its prompt are in `core/protocol/demo.ts`. */
  demo: commandProcedure.mutation(
    idempotent(async ({ ctx }) => ({
      workspace: (await ctx.demo.project()) ?? throwRefusal("workspace_not_found", "The sample project of the demo is not installed."),
    })),
  ),

  /** The folders in a folder, for choosing one. Without a path, those of the home folder. `~` stands for it. */
  folders: authedProcedure.input(z.object({ path: z.string().max(4_096).optional() })).query(async ({ input: { path: given } }) => {
    const folder = await realFolder(expandHome(given ?? "~"));
    const entries = await readdir(folder, { withFileTypes: true }).catch(() =>
      throwRefusal("workspace_not_found", `${folder} cannot be read.`),
    );
    const names = entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith(".")).map(({ name }) => name);
    return {
      path: folder,
      parent: path.dirname(folder) === folder ? null : path.dirname(folder),
      folders: names.toSorted((a, b) => a.localeCompare(b)).slice(0, MAX_FOLDERS),
      more: Math.max(0, names.length - MAX_FOLDERS),
      project: entries.some(({ name }) => name === ".git"),
    };
  }),

  /**
   * Files whose path resembles `query`, best first, for completion. Leaves out ignored files. `roots`: the other folders of the session. Their
   * files have absolute paths.
   */
  files: authedProcedure
    .input(z.object({ cwd: z.string(), query: z.string().max(200), roots: z.array(z.string()).max(MAX_ROOTS).default([]) }))
    .query(async ({ ctx, input: { cwd, query, roots } }) => {
      const found = await Promise.all(roots.map((root) => realFolder(root).catch(() => undefined))); // a root may be gone by now
      return ctx.files.find(
        await realFolder(cwd),
        query,
        found.filter((root) => root !== undefined),
      );
    }),
});
