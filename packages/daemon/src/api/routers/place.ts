import type { PlaceState } from "@baton/core/place/place-state";
import { refuse, type Refusal } from "@baton/core/protocol/refusal";
import * as z from "zod";
import { changeViews } from "../../place/change-views.ts";
import { watchValue } from "../watch-value.ts";
import { idempotent } from "../idempotency.ts";
import { authedProcedure, commandProcedure, throwIfRefused, throwRefusal, router } from "../trpc.ts";
import type { ApiContext } from "../api-context.ts";
import { realFolder } from "../resolve-folder.ts";

/** A place by its id, or by its name. `cwd`: a folder of the repository, if the name is not unique. */
const InPlace = z.object({ place: z.string(), cwd: z.string().optional() });

const Comparison = z.discriminatedUnion("scope", [
  z.object({ scope: z.literal("base") }),
  z.object({ scope: z.literal("uncommitted") }),
  z.object({ scope: z.literal("branch"), branch: z.string().min(1) }),
]);

/** Places: worktrees of their own for sessions. */
export const place = router({
  /**
   * Creates a place for a folder: a git worktree at a branch, a tag, a commit or a pull request (`#123`), by default at the commit that is
   * checked out. Returns the folder in which a session works.
   */
  create: commandProcedure
    .input(
      z.object({
        cwd: z.string(),
        name: z.string().optional(),
        base: z.string().optional(),
        /** An existing branch to check out instead of a new one. */
        branch: z.string().optional(),
        /** Places that try the same prompt have the same group. */
        group: z.string().max(80).optional(),
      }),
    )
    .mutation(async ({ ctx, input: { cwd, name, base, branch, group } }) => {
      const source = await ctx.loadWorkspace(await realFolder(cwd));
      if (ctx.workspaces.trust(source) !== "trusted") throwRefusal("workspace_untrusted", untrusted(source));
      const request = { source, name, base, branch, group };
      const created = throwIfRefused(await ctx.places.create(request, ctx.commandId, ctx.actor));
      return described(created, ctx);
    }),

  /** The commands that prepare new places of the repository, and whether the user has approved them. Null without any. */
  setup: authedProcedure
    .input(InPlace)
    .query(async ({ ctx, input }) => (await ctx.places.setup(throwIfRefused(await find(ctx, input)))) ?? null),

  /** Runs the setup with this hash. `approve`: the user has seen the commands. They then run in every new place, until they change. */
  prepare: commandProcedure.input(InPlace.extend({ hash: z.string(), approve: z.boolean().default(false) })).mutation(
    idempotent(async ({ ctx, input }) => {
      const found = throwIfRefused(await find(ctx, input));
      if (input.approve) await ctx.workspaces.approveSetup(found.source, input.hash, ctx.actor);
      return described(throwIfRefused(await ctx.places.prepare(found, input.hash, ctx.actor)), ctx);
    }),
  ),

  /** All places of this machine, newest first. */
  list: authedProcedure.input(z.object({ cwd: z.string().optional() })).query(({ ctx, input: { cwd } }) =>
    ctx.places
      .all()
      .filter(({ checkout, root }) => cwd === undefined || [checkout, root].some((folder) => isBelow(folder, cwd)))
      .map((each) => described(each, ctx))
      .toSorted((a, b) => b.createdAt - a.createdAt),
  ),

  /** The list of places, now and after every change. */
  follow: authedProcedure.subscription(async function* ({ ctx, signal = new AbortController().signal }) {
    const all = () => Promise.resolve(ctx.places.all().map((each) => described(each, ctx)));
    yield* watchValue(ctx.sessions.changes.places, all, { socket: ctx.socket, clock: ctx.services.clock, signal, restMs: 100 });
  }),

  /** The state of a place according to git and the disk: changed files, commits since the base and not pushed, and its size in bytes. */
  facts: authedProcedure.input(InPlace.extend({ size: z.boolean().default(false) })).query(async ({ ctx, input }) => {
    const found = throwIfRefused(await find(ctx, input));
    const size = input.size && found.status !== "removed" ? await ctx.places.size(found) : null;
    return { ...(await ctx.places.facts(found)), size, users: await ctx.places.usersOf(found) };
  }),

  /** The files of a place that differ from its base, from its last commit or from a branch, with their lines. */
  changes: authedProcedure.input(InPlace.extend({ comparison: Comparison.default({ scope: "base" }) })).query(async ({ ctx, input }) => {
    const files = await ctx.places.changes(throwIfRefused(await find(ctx, input)), input.comparison);
    if ("refused" in files) return throwIfRefused<never>(files);
    return changeViews(files);
  }),

  /** Takes a snapshot of everything in a place. The place stays as it is. */
  save: commandProcedure
    .input(InPlace)
    .mutation(
      idempotent(async ({ ctx, input }) =>
        described(throwIfRefused(await ctx.places.save(throwIfRefused(await find(ctx, input)), ctx.actor)), ctx),
      ),
    ),

  /** Takes a snapshot of everything in a place, then removes its folder. Refused while anything uses it. */
  remove: commandProcedure
    .input(InPlace)
    .mutation(
      idempotent(async ({ ctx, input }) =>
        described(throwIfRefused(await ctx.places.remove(throwIfRefused(await find(ctx, input)), ctx.actor)), ctx),
      ),
    ),

  /** Brings a removed place back as it was. */
  restore: commandProcedure
    .input(InPlace)
    .mutation(
      idempotent(async ({ ctx, input }) =>
        described(throwIfRefused(await ctx.places.restore(throwIfRefused(await find(ctx, input)), ctx.actor)), ctx),
      ),
    ),

  /** Continues a step that was interrupted. */
  repair: commandProcedure
    .input(InPlace)
    .mutation(
      idempotent(async ({ ctx, input }) =>
        described(throwIfRefused(await ctx.places.repair(throwIfRefused(await find(ctx, input)), ctx.actor)), ctx),
      ),
    ),

  /** The effect of `applyChanges` on each file of the source checkout. */
  applyPlan: authedProcedure
    .input(InPlace.extend({ paths: z.array(z.string()).optional() }))
    .query(async ({ ctx, input }) =>
      throwIfRefused(
        await ctx.places.apply(throwIfRefused(await find(ctx, input)), { conflicts: "stop", paths: input.paths, write: false }, ctx.actor),
      ),
    ),

  /**
   * Applies the changes since the base to the source checkout. `conflicts`: what happens to files that both sides changed in the same
   * lines.
   */
  applyChanges: commandProcedure
    .input(InPlace.extend({ conflicts: z.enum(["stop", "skip", "mark"]).default("stop"), paths: z.array(z.string()).optional() }))
    .mutation(
      idempotent(async ({ ctx, input }) => {
        const { conflicts, paths } = input;
        return throwIfRefused(await ctx.places.apply(throwIfRefused(await find(ctx, input)), { conflicts, paths, write: true }, ctx.actor));
      }),
    ),

  /** Takes back what was applied last. Files that changed since then are left unchanged. */
  revertChanges: commandProcedure
    .input(InPlace)
    .mutation(
      idempotent(async ({ ctx, input }) => throwIfRefused(await ctx.places.revert(throwIfRefused(await find(ctx, input)), ctx.actor))),
    ),
});

/** A place for clients, with the folder in which its sessions work. */
const described = (found: PlaceState, { places }: Pick<ApiContext, "places">) => ({ ...found, workspace: places.workspaceOf(found) });

async function find(
  ctx: Pick<ApiContext, "places" | "workspaces">,
  { place: named, cwd }: z.infer<typeof InPlace>,
): Promise<PlaceState | { refused: Refusal }> {
  const folder = cwd === undefined ? undefined : await realFolder(cwd);
  const found = ctx.places.find(named, folder);
  if (!found) return refuse("place_not_found", `There is no place "${named}". \`baton places\` lists them.`);
  await ctx.workspaces.load(found.source); // its approvals are read from memory
  return found;
}

const untrusted = (folder: string): string =>
  `The folder ${folder} is not trusted. Creating a place runs the repository's hooks and filters, so trust the folder first: \`baton trust\`.`;

const isBelow = (root: string, folder: string): boolean => folder === root || folder.startsWith(`${root}/`);
