import type { TokenUsage } from "@baton/core/protocol/tool-call";
import type { LoggedEvent } from "@baton/core/protocol/event";
import { addTotals, noTotals, type UsageTotals, type UsageSum } from "@baton/core/session/usage/usage-totals";
import { readAllEvents } from "@baton/core/client/follow-events";
import { findSession, listSubtasks } from "../../connection/find-by-id.ts";
import type { Api } from "../../connection/daemon-connection.ts";

/** Usage of a session per turn or per step, followed by the total of each subtask. */
export async function sessionUsageRows(api: Api, reference: string, by: "turn" | "step"): Promise<UsageSum[]> {
  const { id } = await findSession(api, reference);
  const rows = new Map<string, UsageSum>();
  for (const [i, { turn, step, model, title, ...one }] of usageSteps(await readAllEvents(api, id)).entries()) {
    const rowKey = by === "turn" ? `turn ${turn}` : `call ${i}`;
    const key = by === "step" ? step : turn === 0 ? "between" : String(turn);
    const before = rows.get(rowKey) ?? { ...noTotals, key, sessions: 1, title: by === "turn" ? title : model };
    rows.set(rowKey, addTotals(before, one));
  }
  const subtasks = (await listSubtasks(api, id)).map(async ({ id: key, title }) =>
    usageSteps(await readAllEvents(api, key)).reduce<UsageSum>(addTotals, { ...noTotals, key, sessions: 1, title }),
  );
  return [...rows.values(), ...(await Promise.all(subtasks))];
}

/** Usage of one call to a model. `turn` is 0 between turns. */
type StepUsed = UsageTotals & { turn: number; step: string; model: string; title: string };

/** All usage of a session in order: its steps, summaries and titles. Rewound steps still count. */
function usageSteps(events: readonly LoggedEvent[]): StepUsed[] {
  const used: StepUsed[] = [];
  const prompts = new Map<string, string>();
  const models = new Map<number, string>();
  const begun = new Set<number>();
  let [turns, within, title] = [0, false, ""];
  const add = (step: string, model: string, { unpriced, cacheWrite = 0, reasoning = 0, estimated = 0, ...usage }: TokenUsage, steps = 1) =>
    used.push({
      ...usage,
      cacheWrite,
      reasoning,
      estimated,
      unpriced: unpriced === true,
      steps,
      turn: within ? turns : 0,
      step,
      model,
      title: within ? title : "",
    });
  for (const event of events) {
    if (event.type === "prompt.received") prompts.set(event.promptId, event.text.trim().split("\n", 1)[0] ?? "");
    else if (event.type === "prompt.delivered" && !within) {
      turns = turns + 1;
      within = true;
      title = prompts.get(event.promptIds[0] ?? "") ?? "";
    } else if (event.type === "turn.ended") within = false;
    else if (event.type === "model.started") models.set(event.step, event.model);
    else if (event.type === "model.spent" && event.step === undefined) add("interrupted", "", event.usage);
    else if (event.type === "model.replied" || event.type === "model.spent") {
      const { step = 0, usage } = event;
      add(`s${step}`, models.get(step) ?? "", usage, begun.size < begun.add(step).size ? 1 : 0); // a retry belongs to the same step
    } else if (event.type === "context.compacted") add("summary", event.model, event.usage);
    else if (event.type === "session.renamed" && event.usage) add("title", "", event.usage);
  }
  return used;
}
