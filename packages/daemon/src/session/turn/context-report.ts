import { omitUndefined } from "@baton/core/text/omit-undefined";
import { preferredModels } from "@baton/core/mode/next-step-model";
import { currentContextTokens, estimateTokens, maxInputTokens } from "@baton/core/session/context/context-budget";
import { conversationItems, mergeItems, type ContextItem, type ContextReport } from "@baton/core/session/context/context-sources";
import type { EffectContext } from "../effects/effect-context.ts";
import type { SessionToolbox } from "../session-dependencies.ts";
import type { Tool } from "../../tool/tool-types.ts";
import { modelInput } from "./call-model.ts";
import { modeInForce } from "../mode-of-step.ts";

/** The contents of the context that the session's next step would have now. */
export async function contextReport(session: Pick<EffectContext, "id" | "services" | "state" | "log">): Promise<ContextReport> {
  const { services, state } = session;
  const mode = modeInForce(state, services, state.mode);
  const resolved = services.models.resolve(preferredModels(state, mode));
  const model = "code" in resolved ? undefined : resolved.id;
  const { system, offered } = mode ? await modelInput(mode, model, session) : { system: [], offered: [] };
  const environment = services.environments.now(state.workspace).tools.map(({ tool }) => tool);
  const items = [
    ...mergeItems(system.map(({ source, name, text }) => ({ source, name, tokens: estimateTokens(text.length) }))),
    ...offered.map(({ tool }) => toolItem(tool, services.tools)),
    ...conversationItems(await session.log.messages()),
  ];
  const { contextWindow, maxInput, maxOutput } = (model === undefined ? undefined : services.models.facts(model)) ?? {};
  const window = maxInput ?? contextWindow;
  const compactsAt = services.settings.compaction().auto ? maxInputTokens({ context: window, output: maxOutput }) : undefined;
  return {
    ...omitUndefined({ model, window, compactsAt }),
    ...(state.contextTokens === 0 ? {} : { counted: currentContextTokens(state) }),
    tokens: items.reduce((sum, { tokens }) => sum + tokens, 0),
    items,
    ...(environment.length > 0 ? { environment } : {}),
  };
}

function toolItem(tool: Tool, { schemaOf }: Pick<SessionToolbox, "schemaOf">): ContextItem {
  const source = tool.action === "mcp" ? "mcp" : "tools";
  return { source, name: tool.name, tokens: estimateTokens(JSON.stringify(schemaOf(tool)).length) };
}
