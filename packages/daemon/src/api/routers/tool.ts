import * as z from "zod";
import type { ApprovalStatus } from "@baton/core/text/approval-status-text";
import { accessText } from "../../script-tool/declared-access.ts";
import type { KnownTool, ToolProblem } from "../../script-tool/tool-definition.ts";
import { commandText } from "../../script-tool/tool-question.ts";
import { authedProcedure, commandProcedure, throwRefusal, router } from "../trpc.ts";

/** A tool that is a file. `run`: its command line. `access`: what it declares, in a few words. `timeout` is in seconds. */
type ScriptToolRow = {
  name: string;
  description: string;
  run: string;
  access: string;
  timeout: number;
  layer: "user" | "project";
  source: string;
  hash: string;
  status: ApprovalStatus;
};

/** The tools of a folder that are files. */
export const tool = router({
  /** The script tools of a folder, with the problems of their files. */
  list: authedProcedure
    .input(z.object({ cwd: z.string() }))
    .query(async ({ ctx, input: { cwd } }): Promise<{ tools: ScriptToolRow[]; problems: readonly ToolProblem[] }> => {
      const { tools, problems } = ctx.services.scriptTools.list(await ctx.loadWorkspace(cwd));
      return { tools: tools.map(toRow), problems };
    }),

  /** Lets the agent use script tools, or never use them, until they change. For the user's own tools, this applies in every folder. */
  settle: commandProcedure
    .input(z.object({ cwd: z.string(), hashes: z.array(z.string()).min(1).max(1_000), approved: z.boolean() }))
    .mutation(async ({ ctx, input: { cwd, hashes, approved } }): Promise<ScriptToolRow[]> => {
      const workspace = await ctx.loadWorkspace(cwd);
      const { scriptTools } = ctx.services;
      const found = new Set(scriptTools.list(workspace).tools.flatMap(({ tool: { hash } }) => (hashes.includes(hash) ? hash : [])));
      if (hashes.some((hash) => !found.has(hash)))
        return throwRefusal("tool_not_found", "A tool has changed since it was shown, or no longer exists. Look at the list again.");
      await scriptTools.settle(workspace, hashes, approved, ctx.actor);
      return scriptTools
        .list(workspace)
        .tools.filter(({ tool: { hash } }) => found.has(hash))
        .map(toRow);
    }),
});

const toRow = ({ tool: { name, schema, launch, from, label, hash }, status }: KnownTool): ScriptToolRow => ({
  name,
  description: schema.description,
  run: commandText(launch),
  access: accessText(schema.access),
  timeout: schema.timeout,
  layer: from.layer,
  source: label,
  hash,
  status,
});
