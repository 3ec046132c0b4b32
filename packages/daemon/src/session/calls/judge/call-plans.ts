import type { CallId } from "@baton/core/protocol/ids";
import type { Access } from "@baton/core/protocol/rule";
import type { Call } from "@baton/core/session/state";
import type { CallPlan, ToolExecutionResult } from "../../../tool/tool-types.ts";

/** The number of plans that a session keeps. Calls that a turn withdraws leave theirs behind. */
const MAX_PLANS = 20;

/** The plans of open calls. A key ends with the input of its call. They are lost with the process, and a call without its plan does nothing. */
export class CallPlans {
  readonly #plans = new Map<CallId, { key: string; plan: CallPlan | ToolExecutionResult }>();

  get(callId: CallId, key: string): CallPlan | ToolExecutionResult | undefined {
    const known = this.#plans.get(callId);
    return known?.key === key ? known.plan : undefined;
  }

  put(callId: CallId, key: string, plan: CallPlan | ToolExecutionResult): void {
    this.#plans.delete(callId); // the newest one is the last one
    this.#plans.set(callId, { key, plan });
    const [oldest] = this.#plans.keys();
    if (this.#plans.size > MAX_PLANS && oldest !== undefined) this.#plans.delete(oldest);
  }

  forget(callId: CallId): void {
    this.#plans.delete(callId);
  }

  /** The newest plan of a call with this input. */
  of({ id, input }: Pick<Call, "id" | "input">): CallPlan | undefined {
    const known = this.#plans.get(id);
    return known && "changes" in known.plan && known.key.endsWith(JSON.stringify(input)) ? known.plan : undefined;
  }

  /** The accesses of a call's plan. After a restart they are those that were judged. */
  accessesOf(call: Call): Access[] {
    const plan = this.of(call);
    if (plan) return plan.changes.flatMap(({ path }) => FILE_ACTIONS.map((action) => ({ action, resource: path })));
    const judged = call.verdict?.accesses ?? call.request?.verdicts ?? [];
    return judged.filter(({ action }) => FILE_ACTIONS.includes(action)).map(({ action, resource }) => ({ action, resource }));
  }
}

const FILE_ACTIONS: readonly string[] = ["edit", "read"];
