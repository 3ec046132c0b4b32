import { omitUndefined } from "@baton/core/text/omit-undefined";
import type { HookOutcome } from "@baton/core/protocol/hook";
import type { SessionEffectOf } from "@baton/core/session/next-effects";
import { normalizeCall } from "../../tool/normalize-call.ts";
import { ownInput } from "../../hook/tool-names.ts";
import type { EffectContext } from "../effects/effect-context.ts";
import { claudeTranscript } from "./claude-transcript.ts";
import { hookInput } from "./hook-input.ts";

/** Runs a hook whose start is in the log, and reports its outcome. */
export async function runHook({ key, run }: SessionEffectOf<"runHook">, session: EffectContext, signal: AbortSignal): Promise<void> {
  const { state, services, id } = session;
  const outcome = await services.hooks.run(
    state.workspace,
    run,
    {
      sessionId: id,
      text: ({ file }, transcript) => JSON.stringify(hookInput(run, { id, state, transcript }, file.dialect)),
      transcript: async () => claudeTranscript(await session.log.entries(), { id, workspace: state.workspace }),
    },
    signal,
  );
  if (signal.aborted) return;
  await session.report(key, [{ type: "hook.finished", runId: run.id, outcome: withOwnNames(run.about, outcome, session) }]);
}

/** A hook names arguments as its agent does. A changed call also gets a new label. */
function withOwnNames(about: string, outcome: HookOutcome, { state, services }: EffectContext): HookOutcome {
  const call = state.calls.find(({ id }) => id === about);
  if (!call || !outcome.input) return outcome;
  const tools = services.tools.of(state);
  const changed = normalizeCall({ tool: call.tool, input: ownInput(call.tool, outcome.input, state.workspace) }, tools);
  const input = "input" in changed ? (changed.input as Record<string, unknown>) : outcome.input; // an object stays an object
  const label = tools.get(call.tool)?.label(input);
  return { ...outcome, input, ...omitUndefined({ label }) };
}
