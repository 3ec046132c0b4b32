import { PluginModes, PluginName, type PluginChanges, type PluginItem } from "@baton/core/protocol/config/plugin";
import * as z from "zod";
import type { PluginUse } from "../../plugin/plugin-enablement.ts";
import type { InstalledPlugin } from "../../plugin/load-installed-plugin.ts";
import type { PluginOffer } from "../../plugin/plugins.ts";
import type { ApiContext } from "../api-context.ts";
import { authedProcedure, commandProcedure, throwIfRefused, router } from "../trpc.ts";

/**
 * An installed plugin. `pinned`: its commit, or its version with its integrity. With a `problem` nothing of it is active. `notes`: the parts of
 * it that have no effect. `use`: whether it is used in the folder, and who says so.
 */
type PluginRow = {
  name: string;
  version: string | null;
  description: string;
  source: string;
  pinned: string;
  hash: string;
  problem: string | null;
  items: readonly PluginItem[];
  notes: readonly string[];
  use: PluginUse;
};

/** A fetched plugin that waits for approval. `hash`: what the user approves. `changes`: the difference from the installed version. */
type PluginOfferRow = Omit<PluginRow, "problem" | "use"> & {
  installed: { version: string | null; hash: string } | null;
  changes: PluginChanges | null;
};

/** The plugins of this machine. */
export const plugin = router({
  /** All installed plugins, compared with their approvals now. */
  list: authedProcedure.input(z.object({ cwd: z.string() })).query(async ({ ctx, input: { cwd } }): Promise<PluginRow[]> => {
    const workspace = await ctx.loadWorkspace(cwd);
    await ctx.plugins.installed.check(true);
    return ctx.plugins.installed.list().map((each) => toRow(each, workspace, ctx));
  }),

  /** Fetches a plugin and returns its contents, without installing it. With a `name`: the newest version of that installed plugin. */
  fetch: commandProcedure
    .input(z.union([z.object({ source: z.string().max(4_000) }), z.object({ name: PluginName })]))
    .mutation(async ({ ctx, input }): Promise<PluginOfferRow> => {
      const { installed } = ctx.plugins;
      if ("source" in input) return toOffer(throwIfRefused(await installed.fetch(input.source)));
      return toOffer(throwIfRefused(await installed.update(input.name)));
    }),

  /** Installs the fetched plugin with this hash. `use`: also uses it everywhere, unless it is installed already. */
  approve: commandProcedure
    .input(z.object({ cwd: z.string(), hash: z.string(), use: z.boolean() }))
    .mutation(async ({ ctx, input: { cwd, hash, use } }): Promise<PluginRow> => {
      const workspace = await ctx.loadWorkspace(cwd);
      const { installed, set } = ctx.plugins;
      const before = new Set(installed.list().map(({ name }) => name));
      const approved = throwIfRefused(await installed.approve(hash));
      if (use && !before.has(approved.name)) throwIfRefused(await set(approved.name, true));
      return toRow(approved, workspace, ctx);
    }),

  /** Sets the user's setting of a plugin. `modes`: only in these modes. Null: it is used where a trusted project asks for it. */
  use: commandProcedure
    .input(z.object({ cwd: z.string(), name: PluginName, on: z.boolean().nullable(), modes: PluginModes.optional() }))
    .mutation(async ({ ctx, input: { cwd, name, on, modes } }): Promise<PluginRow> => {
      const workspace = await ctx.loadWorkspace(cwd);
      const found = throwIfRefused(await ctx.plugins.installed.get(name));
      throwIfRefused(await ctx.plugins.set(name, (on === true ? modes : undefined) ?? on ?? undefined));
      return toRow(found, workspace, ctx);
    }),

  /** Removes a plugin with its files, its data, its setting and the logins of its servers. */
  remove: commandProcedure
    .input(z.object({ name: PluginName }))
    .mutation(async ({ ctx, input: { name } }): Promise<{ removed: string }> => {
      const found = throwIfRefused(await ctx.plugins.installed.get(name));
      throwIfRefused(await ctx.plugins.set(name, undefined)); // first, so that nothing is used of what a crash leaves
      await ctx.plugins.forgetLogins(found);
      return throwIfRefused(await ctx.plugins.installed.remove(name));
    }),
});

function toRow(each: InstalledPlugin, workspace: string, { plugins }: Pick<ApiContext, "plugins">): PluginRow {
  const { name, record, parts, problem = null } = each;
  const { version = null, description = "" } = parts?.manifest ?? {};
  const { source = "", pinned = "", hash = "" } = record ?? {};
  const { items = [], notes = [] } = parts ?? {};
  return { name, version, description, source, pinned, hash, problem, items, notes, use: plugins.installed.use(name, workspace) };
}

function toOffer({ staged, installed, changes }: PluginOffer): PluginOfferRow {
  const { source, pinned, hash, parts } = staged;
  const { name, version = null, description } = parts.manifest;
  const before = installed && { version: installed.parts?.manifest.version ?? null, hash: installed.record?.hash ?? "" };
  return {
    name,
    version,
    description,
    source,
    pinned,
    hash,
    items: parts.items,
    notes: parts.notes,
    installed: before ?? null,
    changes: changes ?? null,
  };
}
