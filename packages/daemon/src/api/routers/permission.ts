import { Effect, Resource, Rule, type SourcedRule, type Verdict } from "@baton/core/protocol/rule";
import { findInvalidRule } from "@baton/core/permission/validate-rules";
import { judge, type RuleSet } from "@baton/core/permission/judge";
import { actions, unknownActionMessage } from "@baton/core/permission/known-actions";
import { denyRules } from "@baton/core/permission/rule-layers";
import * as z from "zod";
import { checkCall } from "../../session/calls/judge/judge-call.ts";
import { judgeAccesses } from "../../session/calls/judge/judge-accesses.ts";
import { offeredTools } from "../../session/turn/offered-tools.ts";
import { normalizedRules } from "../../config/normalize-rule.ts";
import type { ApiContext } from "../api-context.ts";
import { resolveFolder } from "../resolve-folder.ts";
import { idempotent } from "../idempotency.ts";
import { authedProcedure, commandProcedure, throwRefusal, router, throwIfRefused } from "../trpc.ts";

/** One question of `baton permissions check`. */
const Check = z.object({
  tool: z.string().optional(),
  input: z.unknown().optional(),
  action: z.string().optional(),
  resource: z.string().optional(),
  mode: z.string().optional(),
  cwd: z.string(),
  rules: z.array(Rule).optional(),
  onlyRules: z.boolean().optional(),
  /** Whether the folder counts as trusted, whatever Baton knows about it. */
  trusted: z.boolean().optional(),
});
type Check = z.infer<typeof Check>;

/** `hooks`: the hooks that would decide about the call as well, with their files and lines. */
type PermissionCheck = Verdict & { offered: boolean; hooks?: string[] };

/** Answers what would happen, with the functions that judge real calls. */
export const permission = router({
  /** The verdicts on calls or accesses, one for each question. Runs nothing. */
  check: authedProcedure
    .input(z.array(Check).max(5_000))
    .query(async ({ ctx, input }): Promise<(PermissionCheck | { error: string })[]> => {
      const workspaces = new Map<string, string>();
      for (const cwd of new Set(input.map((question) => question.cwd))) workspaces.set(cwd, await ctx.loadWorkspace(cwd));
      return input.map((question) => check(question, workspaces.get(question.cwd) ?? question.cwd, ctx));
    }),

  /**
   * The rules of a mode in a workspace, lowest layer first, and the ceilings above them. In each list the last match decides.
   */
  rules: authedProcedure
    .input(z.object({ mode: z.string(), cwd: z.string() }))
    .query(async ({ ctx, input: { mode, cwd } }): Promise<Pick<RuleSet, "rules" | "ceilings">> => {
      const workspace = await ctx.loadWorkspace(cwd);
      const found = ctx.services.modes(workspace).get(mode);
      if (!found) return { rules: [], ceilings: [] };
      const { rules, ceilings } = ctx.services.permissions.rules({ workspace, mode: found, grants: [], ceilings: [] });
      return { rules, ceilings };
    }),

  /**
   * The decisions about calls, each with its rule or answer, oldest session first. A page holds the decisions of whole sessions. `after` is
   * the `next` of the page before it. `since` and `until` are in epoch milliseconds.
   */
  audit: authedProcedure
    .input(
      z.object({
        workspace: z.string().optional(),
        sessionId: z.string().optional(),
        since: z.number().optional(),
        until: z.number().optional(),
        after: z.object({ createdAt: z.number(), id: z.string() }).optional(),
      }),
    )
    .query(({ ctx, input }) => ctx.audit(input)),

  /** The grants of a folder and those for every folder. */
  grants: authedProcedure.input(z.object({ cwd: z.string() })).query(async ({ ctx, input: { cwd } }) => {
    await ctx.workspaces.load(resolveFolder(cwd));
    await ctx.workspaces.catchUp();
    return ctx.workspaces.grants(resolveFolder(cwd));
  }),

  /**
   * Converts the rules of another agent's config. With `write`, adds them to the user's config. `file`: its whole path, which
   * tells whether it belongs to the user.
   */
  import: commandProcedure
    .input(z.object({ text: z.string().max(1_000_000), file: z.string(), everywhere: z.boolean().default(false), write: z.boolean() }))
    .mutation(
      idempotent(async ({ ctx, input: { write, commandId: _, ...given } }) => {
        const imported = ctx.config.importRules(given);
        const { written } = write && imported ? throwIfRefused(await ctx.config.addRules(imported.rules)) : { written: false };
        return { imported: imported ?? null, written };
      }),
    ),

  /** Adds a rule of the user, which wins over the earlier ones. Open requests are judged again. */
  add: commandProcedure.input(z.object({ rule: Rule })).mutation(
    idempotent(async ({ ctx, input: { rule } }) => {
      const known = actions.includes(rule.action) || /[*?]|__/.test(rule.action);
      const problem = known ? findInvalidRule([rule]) : unknownActionMessage(rule.action, actions);
      if (problem !== undefined) return throwRefusal("rule_invalid", problem);
      const { written } = throwIfRefused(await ctx.config.appendRule(rule));
      return written
        ? { written }
        : throwRefusal("rule_invalid", "The table of rules in config.jsonc has no place for this rule. Add it there.");
    }),
  ),

  /** Changes a rule of the user's config in its place, or removes it with null. Its action stays. Open requests are judged again. */
  change: commandProcedure
    .input(
      z.object({
        /** The rule as `rules` lists it. */
        rule: Rule.extend({ source: z.string() }),
        to: z.object({ effect: Effect, resource: Resource.optional() }).nullable(),
      }),
    )
    .mutation(
      idempotent(async ({ ctx, input: { rule, to } }) => {
        const problem = to?.resource === undefined ? undefined : findInvalidRule([{ resource: to.resource }]);
        if (problem !== undefined) return throwRefusal("rule_invalid", problem);
        return throwIfRefused(await ctx.config.changeRule(rule, to ?? undefined));
      }),
    ),

  /** Revokes a grant. Open requests are judged again. */
  revoke: commandProcedure.input(z.object({ cwd: z.string(), grantId: z.string() })).mutation(async ({ ctx, input: { cwd, grantId } }) => {
    const revoked = throwIfRefused(await ctx.workspaces.revoke(resolveFolder(cwd), grantId, ctx.actor));
    ctx.sessions.rejudge(resolveFolder(cwd));
    return revoked;
  }),
});

function check(question: Check, workspace: string, ctx: ApiContext): PermissionCheck | { error: string } {
  const { trusted } = question;
  const mode = ctx.services.modes(workspace).get(question.mode ?? ctx.services.settings.defaultMode(workspace));
  if (!mode) return { error: `There is no mode "${question.mode}".` };
  const problem = findInvalidRule(question.rules ?? []);
  if (problem !== undefined) return { error: problem };
  const extra = (question.rules ?? []).flatMap((rule, i) =>
    normalizedRules(rule).map((each): SourcedRule => ({ ...each, layer: "user", source: `rules:${i + 1}` })),
  );
  const { rules: configuredRules, gate } = ctx.services.permissions;
  const permissions: ApiContext["services"]["permissions"] = {
    ...ctx.services.permissions,
    rules: question.onlyRules
      ? () => ({ rules: extra, ceilings: [] })
      : withExtra((query) => configuredRules({ ...query, trusted }), extra),
    gate: (access, folder) => gate(access, folder, trusted),
    ...(trusted === undefined ? {} : { trust: () => (trusted ? "trusted" : "restricted") }),
  };
  const parts = { ...ctx.services, permissions };
  const rules = permissions.rules({ workspace, mode, grants: [], ceilings: [] });
  if (question.tool !== undefined) {
    const offered = offeredTools(mode, { workspace, roots: [], grants: [], ceilings: [] }, parts).offered.some(
      ({ tool }) => tool.name === question.tool,
    );
    const checked = checkCall(
      { tool: question.tool, input: question.input },
      { mode: mode.slug, workspace, roots: [], grants: [], ceilings: [], recent: [] },
      parts,
    );
    if ("verdict" in checked)
      return { ...checked.verdict, offered, ...hooksOf(question.tool, checked.verdict, { workspace, mode: mode.slug }, ctx) };
    return { effect: "deny", rule: null, accesses: [], why: checked.result.text, offered };
  }
  if (question.action === undefined || question.resource === undefined)
    return { error: "Ask about a call with tool and input, or about an access with action and resource." };
  const isNamed = question.rules?.some(({ action }) => action === question.action) === true;
  if (!question.onlyRules && !isNamed && !isAction(question.action, workspace, ctx))
    return { error: unknownActionMessage(question.action, [...actions, ...toolNames(workspace, ctx)]) };
  const access = { action: question.action, resource: question.resource };
  const judged = question.onlyRules
    ? judge(rules, NO_TOOL, [access])
    : judgeAccesses([access], rules, NO_TOOL, ([named = access]) => permissions.gate(named, workspace));
  if ("refused" in judged) return { effect: "deny", rule: null, accesses: [], why: judged.refused, offered: true };
  return { ...judged, offered: true };
}

/** The hooks that run before the call. A denied call reaches none. */
function hooksOf(
  tool: string,
  { accesses, effect }: Verdict,
  { workspace, mode }: { workspace: string; mode: string },
  { services }: ApiContext,
): { hooks?: string[] } {
  if (effect === "deny") return {};
  const events = effect === "ask" ? (["PreToolUse", "PermissionRequest"] as const) : (["PreToolUse"] as const);
  const found = events.flatMap((event) => services.hooks.find(workspace, event, { tool, accesses }, [mode]).approved);
  return found.length === 0 ? {} : { hooks: found.map(({ ref }) => `${ref.name} (${ref.source})`) };
}

/** An access alone is not a call: a rule for `command` does not apply to the paths that a command touches. */
const NO_TOOL = "";

/** A tool's own name is an action too. Names of tools of servers that do not run are accepted as written. */
const isAction = (action: string, workspace: string, { services }: ApiContext): boolean =>
  actions.includes(action) || action.includes("__") || services.tools.of({ workspace }).get(action) !== undefined;

const toolNames = (workspace: string, { services }: ApiContext): string[] =>
  Array.from(services.tools.of({ workspace }).values(), ({ name }) => name);

type RulesLookup = ApiContext["services"]["permissions"]["rules"];

/** The rules of a question rank above the configured ones, like rules of the user. Their denies are ceilings as well. */
const withExtra =
  (configured: RulesLookup, extra: readonly SourcedRule[]): RulesLookup =>
  (query) => {
    const { rules, ceilings, insteadOfAsking } = configured(query);
    return { rules: [...rules, ...extra], ceilings: [...ceilings, denyRules(extra)], insteadOfAsking };
  };
