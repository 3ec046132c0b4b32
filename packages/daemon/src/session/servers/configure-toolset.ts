import { executeToolsetTool, type ToolsetResult } from "@baton/core/toolset/execute-tool";
import type { ToolCatalog } from "@baton/core/toolset/catalog";
import type { ToolsetTool } from "@baton/core/toolset/definition";
import { availableChosenTools } from "@baton/core/toolset/listing";
import type { ToolsetState } from "@baton/core/toolset/toolset-state";
import type { SessionEvent } from "@baton/core/protocol/event";
import type { Actor } from "@baton/core/protocol/request";
import type { SessionState } from "@baton/core/session/state";
import type { ToolsetCallResult, ModeRequest } from "../../tool/tool-types.ts";
import type { SessionDependencies } from "../session-dependencies.ts";
import type { EffectContext } from "../effect-context.ts";
import { modeChangeEvents } from "../coordination/mode-change-events.ts";

const CONFIGURATION = "configuration";

type Here = Pick<SessionState, "mode" | "toolset" | "workspace" | "returnPoints" | "endpoint">;

/** Where the choice of tools stands in a session: the toolsets are shared, what is equipped is the session's own. */
export function sessionToolsetState({ mode, toolset }: Pick<Here, "mode" | "toolset">, shared: ToolsetState): ToolsetState {
  const { equipped = null, changes = 0 } = toolset ?? {};
  return { ...shared, policy: "dual", equipped, configuring: mode === CONFIGURATION, revision: shared.revision + changes };
}

/**
 * Carries out a call of one of the toolset tools in a session. What is equipped is the session's; leaving configuration leads
 * back to the mode before it.
 */
export async function configureToolset(
  tool: ToolsetTool,
  input: unknown,
  { dry, by }: { dry: boolean; by: Actor },
  state: Here,
  services: Pick<SessionDependencies, "toolsets" | "clock" | "settings">,
): Promise<ToolsetCallResult> {
  const catalogue = services.toolsets.catalogue(state.workspace);
  if (state.endpoint !== undefined) {
    const act_ = (standing: ToolsetState) => executeToolsetTool(tool, input, standing, catalogue, services.clock.now());
    const acted = await services.toolsets.ofProfile(state.endpoint, act_, dry);
    return { answer: acted.ok ? acted.answer : acted, events: [] };
  }
  const run = (shared: ToolsetState) =>
    executeToolsetTool(tool, input, sessionToolsetState(state, shared), catalogue, services.clock.now());
  const acted = dry ? run(services.toolsets.standing()) : await services.toolsets.change(run);
  if (!acted.ok) return { answer: acted, events: [] };
  const kept = acted.events.filter(isShared).length;
  const isLeft = acted.events.some(({ type }) => type === "configuration.left");
  const isUnequipped = acted.events.some(({ type }) => type === "toolset.unequipped");
  const { equipped } = acted.after;
  const own: SessionEvent = {
    type: "toolset.changed",
    changes: acted.events.length - kept,
    by,
    ...(equipped !== null ? { equipped } : isUnequipped || state.toolset?.equipped === null ? { equipped: null } : {}),
  };
  const transition: ModeRequest | undefined = isLeft
    ? leaving(tool, equipped?.name, state.returnPoints.at(-1)?.mode ?? services.settings.defaultMode(state.workspace))
    : undefined;
  return {
    answer:
      state.toolset?.equipped === undefined && equipped === null ? withAll(acted.answer, catalogue) : withRemoved(acted, state, catalogue),
    events: acted.events.length > 0 ? [own] : [],
    ...(transition ? { transition } : {}),
  };
}

/** Saved and deleted toolsets are everybody's; the rest is a session's or a profile's own. */
export const isShared = ({ type }: ToolsetResult["events"][number]): boolean => type === "toolset.saved" || type === "toolset.deleted";

function leaving(tool: ToolsetTool, equipped: string | undefined, to: string): ModeRequest {
  const has = equipped === undefined ? "No toolset is equipped." : `The toolset ${equipped} is equipped; its tools are there now.`;
  return { to, origin: tool === "exit-configuration-mode" ? "configuration" : "equip", prompt: `${has} Go on with the work in ${to}.` };
}

/** What goes, as the session had it before it came to configure, where the pure part speaks of what is listed meanwhile. */
function withRemoved({ answer, after }: ToolsetResult, { toolset }: Here, catalogue: ToolCatalog): ToolsetResult["answer"] {
  if (!("removed" in answer) || after.equipped === null) return answer;
  const equipped = toolset?.equipped;
  const had =
    equipped === undefined ? catalogue.tools : equipped === null ? [] : availableChosenTools(equipped, catalogue).map(({ tool }) => tool);
  const has = new Set(availableChosenTools(after.equipped, catalogue).map(({ tool }) => tool.name));
  return { ...answer, removed: had.map(({ name }) => name).filter((name) => !has.has(name)) };
}

/** A session that was never given a toolset has all tools; the pure part knows only those that are equipped. */
function withAll(answer: ToolsetResult["answer"], { tools }: ToolCatalog): ToolsetResult["answer"] {
  if (answer["mode"] !== "normal" || !("warning" in answer)) return answer;
  const { warning: _, ...rest } = answer;
  const warning = "No toolset is equipped, so all tools of the servers are there. enter-configuration-mode leads back in.";
  return { ...rest, ok: true, availableTools: [...tools.map(({ name }) => name).slice(0, 100), "enter-configuration-mode"], warning };
}

/** A person gives a session a toolset, or what its mode has again (null). Leads out of configuration, where it is in it. */
export async function equipToolset(
  session: EffectContext,
  name: string | null,
  acceptChanges: boolean,
  by: Actor,
): Promise<Record<string, unknown>> {
  const { services, state } = session;
  if (name === null) {
    await session.note([{ type: "toolset.changed", changes: 1, by }]);
    return { ok: true, toolset: null };
  }
  const { answer, events, transition } = await configureToolset(
    "equip-toolset",
    { name, acceptChanges },
    { dry: false, by },
    state,
    services,
  );
  const { prompt: _, ...wanted } = transition ?? { prompt: "" };
  const left = "to" in wanted ? modeChangeEvents({ ...wanted, by }, session.state, undefined, services.clock.now()) : [];
  if (events.length + left.length > 0) await session.note([...events, ...left]);
  return answer;
}
