import { omitUndefined } from "@baton/core/text/omit-undefined";
import { HookEvent, matcherValues, type HookOutcome, type HookRun } from "@baton/core/protocol/hook";
import type { CallId } from "@baton/core/protocol/ids";
import { emptyState, type Call } from "@baton/core/session/state";
import { toolCalledAs } from "@baton/core/tool/tool-table";
import * as z from "zod";
import type { HookDefinition, HookStatus, KnownHook } from "../../hook/hook-definition.ts";
import type { HookProblem } from "../../hook/parse-hooks.ts";
import { checkCall } from "../../session/calls/judge/judge-call.ts";
import { hookInput } from "../../session/hooks/hook-input.ts";
import type { ApiContext } from "../api-context.ts";
import { authedProcedure, commandProcedure, throwRefusal, router } from "../trpc.ts";

/** A hook of a folder. `run`: its command line or its address. `timeout` is in seconds. */
type HookRow = {
  event: HookEvent;
  matcher: string | null;
  condition: string | null;
  type: "command" | "http";
  run: string;
  timeout: number;
  async: boolean;
  once: boolean;
  onFailure: KnownHook["ref"]["onFailure"];
  layer: KnownHook["ref"]["layer"];
  source: string;
  hash: string;
  status: HookStatus;
};

/** The decision of a hook in a test. Undefined if it may not run. */
type HookTest = { hook: HookRow; outcome: HookOutcome | null };

const Test = z.object({
  cwd: z.string(),
  event: HookEvent,
  tool: z.string().optional(),
  input: z.record(z.string(), z.unknown()).optional(),
  /** The value that the matcher compares, for events without a tool. By default the only one that the event has. */
  value: z.string().optional(),
  prompt: z.string().optional(),
  mode: z.string().optional(),
});

/** The hooks of a folder. */
export const hook = router({
  /** All hooks of a folder with the problems of their files. */
  list: authedProcedure
    .input(z.object({ cwd: z.string() }))
    .query(async ({ ctx, input: { cwd } }): Promise<{ hooks: HookRow[]; problems: readonly HookProblem[] }> => {
      const { hooks, problems } = ctx.services.hooks.list(await ctx.loadWorkspace(cwd));
      return { hooks: hooks.map(toRow), problems };
    }),

  /** Lets hooks run, or never run, as long as they stay as they are. Hooks of the user's own files then do so everywhere. */
  settle: commandProcedure
    .input(z.object({ cwd: z.string(), hashes: z.array(z.string()).min(1).max(1_000), approved: z.boolean() }))
    .mutation(async ({ ctx, input: { cwd, hashes, approved } }): Promise<HookRow[]> => {
      const workspace = await ctx.loadWorkspace(cwd);
      const { hooks } = ctx.services;
      const known = hooks
        .list(workspace)
        .hooks.filter(({ ref, definition }) => hashes.includes(ref.hash) && definition.file.layer !== "managed");
      const found = new Set(known.map(({ ref }) => ref.hash));
      if (hashes.some((hash) => !found.has(hash)))
        return throwRefusal("hook_not_found", "A hook has changed since it was shown, or no longer exists. Look at the list again.");
      await hooks.settle(workspace, hashes, approved, ctx.actor);
      return hooks
        .list(workspace)
        .hooks.filter(({ ref }) => found.has(ref.hash))
        .map(toRow);
    }),

  /** Runs the hooks that the user approved for an event, as a session would, and returns their decisions. */
  test: commandProcedure.input(Test).mutation(async ({ ctx, input: given }): Promise<HookTest[]> => {
    const workspace = await ctx.loadWorkspace(given.cwd);
    const tools = ctx.services.tools.of({ workspace });
    const named = given.tool;
    const tool = named === undefined || tools.get(named) ? named : toolCalledAs(named);
    if (named !== undefined && tool === undefined)
      return throwRefusal("tool_not_found", `There is no tool ${named}. \`baton tools\` lists them.`);
    const { event } = given;
    const [only, ...others] = matcherValues[event] ?? [];
    const input = { ...given, tool, value: given.value ?? (others.length === 0 ? only : undefined) };
    const subject = tool === undefined ? { value: input.value ?? "" } : { tool, accesses: accessesOf(input, workspace, ctx) };
    const { hooks } = ctx.services;
    const matching = hooks.find(workspace, event, subject, input.mode === undefined ? undefined : [input.mode]);
    const approved = await Promise.all(
      matching.approved.map(async (known): Promise<HookTest> => ({
        hook: toRow(known),
        outcome: await runOnce(known, input, workspace, ctx),
      })),
    );
    const undecided = new Set(matching.questions.flatMap(({ hashes }) => hashes));
    const waiting = hooks
      .list(workspace)
      .hooks.filter(({ ref, definition }) => undecided.has(ref.hash) && definition.event === event)
      .map((known): HookTest => ({ hook: toRow(known), outcome: null }));
    return [...approved, ...waiting];
  }),
});

/** The accesses that a call would have, so that conditions of hooks apply. */
function accessesOf({ tool = "", input, mode }: z.infer<typeof Test>, workspace: string, { services }: ApiContext) {
  const slug = mode ?? services.settings.defaultMode(workspace);
  const state = { mode: slug, workspace, roots: [], grants: [], ceilings: [], recent: [] };
  const checked = checkCall({ tool, input: input ?? {} }, state, services);
  return "verdict" in checked ? checked.verdict.accesses : [];
}

function runOnce({ ref }: KnownHook, input: z.infer<typeof Test>, workspace: string, { services }: ApiContext): Promise<HookOutcome> {
  const { event, tool, prompt, value } = input;
  const run: HookRun = {
    id: `test.${ref.hash.slice(0, 8)}`,
    event,
    about: "test",
    hook: ref,
    details: { ...omitUndefined({ prompt, source: value }) },
  };
  const state = { ...emptyState, workspace, mode: input.mode ?? services.settings.defaultMode(workspace) };
  const calls: Call[] =
    tool === undefined
      ? []
      : [
          {
            id: "test" as CallId, // a call of no session
            tool,
            input: input.input ?? {},
            providerId: "",
            label: { verb: "", object: "" },
            phase: "requested",
            writes: true,
          },
        ];
  const session = { id: "test", state: { ...state, calls } };
  return services.hooks.run(
    workspace,
    run,
    {
      sessionId: undefined,
      text: ({ file }, transcript) => JSON.stringify(hookInput(run, { ...session, transcript }, file.dialect)),
      transcript: () => Promise.resolve(""),
    },
    AbortSignal.timeout(TEST_MS),
  );
}

const TEST_MS = 600_000;

function toRow({ definition, ref, status }: KnownHook): HookRow {
  const { event, matcher = null, condition = null, launch, timeoutMs, async, once } = definition;
  return {
    event,
    matcher,
    condition,
    type: launch.type,
    run: lineOf(launch),
    timeout: timeoutMs / 1_000,
    async,
    once,
    onFailure: ref.onFailure,
    layer: ref.layer,
    source: ref.source,
    hash: ref.hash,
    status,
  };
}

const lineOf = (launch: HookDefinition["launch"]): string =>
  launch.type === "http" ? launch.url : [launch.command, ...(launch.args ?? []).map((word) => JSON.stringify(word))].join(" ");
