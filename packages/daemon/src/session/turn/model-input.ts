import type { Mode } from "@baton/core/protocol/mode";
import type { OfferedTools } from "../../tool/offer-tools.ts";
import { coordinationState } from "../coordination/coordination-prompt.ts";
import type { EffectContext } from "../effects/effect-context.ts";
import { planPath } from "../plan-path.ts";
import { folderFacts, startFacts } from "./folder-facts.ts";
import { nameableModes } from "./nameable-modes.ts";
import { offeredTools } from "./offered-tools.ts";
import { repositoryMap } from "./repository-map.ts";
import { systemPromptParts, type SystemPromptPart } from "./system-prompt.ts";

/** The input of a model before the conversation: the parts of the system prompt, and the tools. */
export async function modelInput(
  mode: Mode,
  model: string | undefined,
  session: Pick<EffectContext, "id" | "services" | "state" | "log">,
): Promise<{ system: SystemPromptPart[]; offered: OfferedTools[] }> {
  const { id, services, state } = session;
  const { offered } = offeredTools(mode, state, services, model);
  const { workspace, grants, ceilings, roots } = state;
  const rules = services.permissions.rules({ workspace, mode, grants, ceilings, roots });
  const all = services.modes(workspace).nameable(mode.slug);
  const canCoordinate = !state.parent && services.settings.coordination() !== "off";
  const system = systemPromptParts({
    mode,
    modes: nameableModes(mode, offered, rules, all),
    coordination: canCoordinate ? coordinationState(mode, all) : undefined,
    workspace,
    folders: [
      ...folderFacts(roots, services.places.describe(workspace), services.environments.now(workspace).tools),
      ...startFacts(state.surroundings),
    ],
    map: await repositoryMap(session),
    planFile: planPath(id),
    platform: process.platform,
    shell: services.tools.shell,
    ...(await services.prompts.forMode(workspace, mode)),
  });
  return { system, offered };
}
