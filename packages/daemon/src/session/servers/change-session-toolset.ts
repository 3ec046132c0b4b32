import { omitUndefined } from "@baton/core/text/omit-undefined";
import { executeToolsetManagementTool, type ToolsetResult } from "@baton/core/toolset/execute-toolset-management-tool";
import type { ToolCatalog } from "@baton/core/toolset/tool-catalog";
import type { ToolsetTool } from "@baton/core/toolset/toolset-inputs";
import { availableChosenTools } from "@baton/core/toolset/exposed-tools";
import type { ToolsetState } from "@baton/core/toolset/toolset-selection-state";
import type { SessionEvent } from "@baton/core/protocol/event";
import type { Actor } from "@baton/core/protocol/request";
import type { SessionState } from "@baton/core/session/state";
import type { ToolsetCallResult, ModeRequest } from "../../tool/tool-types.ts";
import type { SessionDependencies } from "../session-dependencies.ts";
import type { EffectContext } from "../effects/effect-context.ts";
import { modeChangeEvents } from "../coordination/mode-change-events.ts";

const CONFIGURATION = "configuration";

type ToolsetContext = Pick<SessionState, "mode" | "toolset" | "workspace" | "returnPoints" | "endpoint">;

/** The toolset state of a session: saved toolsets are shared, and the equipped one belongs to the session. */
export function sessionToolsetState({ mode, toolset }: Pick<ToolsetContext, "mode" | "toolset">, shared: ToolsetState): ToolsetState {
  const { equipped = null, changes = 0 } = toolset ?? {};
  return { ...shared, policy: "dual", equipped, configuring: mode === CONFIGURATION, revision: shared.revision + changes };
}

/**
 * Carries out a toolset tool in a session. The equipped toolset belongs to the session. Leaving configuration returns to the
 * mode before it.
 */
export async function configureToolset(
  tool: ToolsetTool,
  input: unknown,
  { dry, by }: { dry: boolean; by: Actor },
  state: ToolsetContext,
  services: Pick<SessionDependencies, "toolsets" | "clock" | "settings">,
): Promise<ToolsetCallResult> {
  const catalog = services.toolsets.catalog(state.workspace);
  if (state.endpoint !== undefined) {
    const runTool = (toolsetState: ToolsetState) => executeToolsetManagementTool(tool, input, toolsetState, catalog, services.clock.now());
    const result = await services.toolsets.ofProfile(state.endpoint, runTool, dry);
    return { answer: result.ok ? result.answer : result, events: [] };
  }
  const run = (shared: ToolsetState) =>
    executeToolsetManagementTool(tool, input, sessionToolsetState(state, shared), catalog, services.clock.now());
  const result = dry ? run(services.toolsets.state()) : await services.toolsets.change(run);
  if (!result.ok) return { answer: result, events: [] };
  const savedCount = result.events.filter(isSharedToolsetEvent).length;
  const isLeft = result.events.some(({ type }) => type === "configuration.left");
  const isUnequipped = result.events.some(({ type }) => type === "toolset.unequipped");
  const { equipped } = result.after;
  const own: SessionEvent = {
    type: "toolset.changed",
    changes: result.events.length - savedCount,
    by,
    ...(equipped !== null ? { equipped } : isUnequipped || state.toolset?.equipped === null ? { equipped: null } : {}),
  };
  const transition: ModeRequest | undefined = isLeft
    ? leaving(tool, equipped?.name, state.returnPoints.at(-1)?.mode ?? services.settings.defaultMode(state.workspace))
    : undefined;
  return {
    answer:
      state.toolset?.equipped === undefined && equipped === null ? withAll(result.answer, catalog) : withRemoved(result, state, catalog),
    events: result.events.length > 0 ? [own] : [],
    ...omitUndefined({ transition }),
  };
}

/** Saved and deleted toolsets are shared. Everything else belongs to a session or a profile. */
export const isSharedToolsetEvent = ({ type }: ToolsetResult["events"][number]): boolean =>
  type === "toolset.saved" || type === "toolset.deleted";

function leaving(tool: ToolsetTool, equipped: string | undefined, to: string): ModeRequest {
  const has = equipped === undefined ? "No toolset is equipped." : `The toolset ${equipped} is equipped, and its tools are available now.`;
  return { to, origin: tool === "exit-configuration-mode" ? "configuration" : "equip", prompt: `${has} Continue the work in ${to}.` };
}

/** Restores what the session had before configuration, where the pure function describes the tools listed meanwhile. */
function withRemoved({ answer, after }: ToolsetResult, { toolset }: ToolsetContext, catalog: ToolCatalog): ToolsetResult["answer"] {
  if (!("removed" in answer) || after.equipped === null) return answer;
  const equipped = toolset?.equipped;
  const had =
    equipped === undefined ? catalog.tools : equipped === null ? [] : availableChosenTools(equipped, catalog).map(({ tool }) => tool);
  const has = new Set(availableChosenTools(after.equipped, catalog).map(({ tool }) => tool.name));
  return { ...answer, removed: had.map(({ name }) => name).filter((name) => !has.has(name)) };
}

/** A session without a toolset has all tools. The pure function knows only equipped ones. */
function withAll(answer: ToolsetResult["answer"], { tools }: ToolCatalog): ToolsetResult["answer"] {
  if (answer["mode"] !== "normal" || !("warning" in answer)) return answer;
  const { warning: _, ...rest } = answer;
  const warning = "No toolset is equipped, so all tools of the servers are available. Call enter-configuration-mode to equip one.";
  return { ...rest, ok: true, availableTools: [...tools.map(({ name }) => name).slice(0, 100), "enter-configuration-mode"], warning };
}

/**
 * Gives a session a toolset, or the one of its mode (null), at the user's request. Leaves configuration if the session is in
 * it.
 */
export async function equipSessionToolset(
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
  const modeEvents = "to" in wanted ? modeChangeEvents({ ...wanted, by }, session.state, undefined, services.clock.now()) : [];
  if (events.length + modeEvents.length > 0) await session.note([...events, ...modeEvents]);
  return answer;
}
