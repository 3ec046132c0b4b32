import type { Call } from "@baton/core/session/state";
import { failed, type ActingTool, type CallPlan, type ToolExecutionResult } from "../../../tool/tool-types.ts";
import type { EffectContext } from "../../effects/effect-context.ts";
import { modeOfStep } from "../../mode-of-step.ts";

/** How long a language server may take to start and to answer, in milliseconds. */
const PLAN_MS = 90_000;

/**
 * The plan of a call, or the result of a call that cannot succeed. Undefined while a plan is made; the session decides again afterwards.
 * Each answer of the user gets a new plan, which shows whether the call would still do what the user saw.
 */
export async function planCall(
  call: Call,
  plan: NonNullable<ActingTool["plan"]>,
  input: unknown,
  cwd: string,
  { state, plans, looks, services }: EffectContext,
): Promise<CallPlan | ToolExecutionResult | undefined> {
  const key = `${call.answer ? (call.request?.id ?? "") : ""} ${JSON.stringify(call.input)}`;
  const known = plans.get(call.id, key);
  if (known) return known;
  const made = await looks.at(`plan ${call.id} ${key}`, async () => {
    try {
      return await plan(input, { cwd, code: services.code(modeOfStep(state)), signal: AbortSignal.timeout(PLAN_MS) });
    } catch (error) {
      services.report(`the changes of ${call.tool} could not be found`, error);
      return failed(`${call.tool} could not find out what to change, so nothing was changed. Try another way.`);
    }
  });
  if (made) plans.put(call.id, key, made.value);
  return made?.value;
}
