import type { Actor } from "@baton/core/protocol/request";
import { configureToolset } from "./configure-toolset.ts";
import type { EffectContext } from "../effect-context.ts";
import { modeChangeEvents } from "../coordination/mode-change-events.ts";

/** A person gives a session a toolset, or what its mode has again (null). Leads out of configuration, where it is in it. */
export async function equipToolset(
  session: EffectContext,
  name: string | null,
  acceptChanges: boolean,
  by: Actor,
): Promise<Record<string, unknown>> {
  const { parts, state } = session;
  if (name === null) {
    await session.note([{ type: "toolset.changed", changes: 1, by }]);
    return { ok: true, toolset: null };
  }
  const { answer, events, transition } = await configureToolset("equip-toolset", { name, acceptChanges }, { dry: false, by }, state, parts);
  const { prompt: _, ...wanted } = transition ?? { prompt: "" };
  const left = "to" in wanted ? modeChangeEvents({ ...wanted, by }, session.state, undefined, parts.clock.now()) : [];
  if (events.length + left.length > 0) await session.note([...events, ...left]);
  return answer;
}
