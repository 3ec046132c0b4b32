import { preferredModels } from "@baton/core/mode/next-step-model";
import type { Mode, ModeSlug } from "@baton/core/protocol/mode";
import type { Actor } from "@baton/core/protocol/request";
import type { Access } from "@baton/core/protocol/rule";
import type { SessionState } from "@baton/core/session/state";
import { UNATTENDED } from "@baton/core/text/request/answer-origin";
import type { AskContext } from "../../../tool/tool-types.ts";
import type { EffectContext } from "../../effects/effect-context.ts";
import { sessionToolsetState } from "../../servers/change-session-toolset.ts";
import { offeredTools } from "../../turn/offered-tools.ts";
import { planPath } from "../../plan-path.ts";
import { modeInForce } from "../../mode-of-step.ts";

/** The context of an asking tool. Reads the plan file and nothing else. */
export async function askingToolContext(state: SessionState, session: EffectContext, by?: Actor): Promise<AskContext> {
  const { services } = session;
  const mode = modeInForce(state, services);
  if (!mode) throw new Error(`the mode ${state.mode} has vanished between judging and asking`);
  return {
    mode,
    modes: nameableModes(mode.slug, state, session),
    returnPoints: returnPoints(state),
    unattended: by !== undefined && "person" in by && by.person === UNATTENDED,
    plan: await readPlan(state.workspace, session),
    toolsetState: sessionToolsetState(state, services.toolsets.state()),
    toolsOf: (of) => offeredTools(of, state, services).offered.map(({ tool }) => tool.name),
    modelOf: (of) => {
      const resolved = services.models.resolve(preferredModels(state, of));
      return "code" in resolved ? undefined : resolved.id;
    },
  };
}

/** The modes that the model may choose in this mode, and those that it may return to. */
function nameableModes(slug: ModeSlug, state: SessionState, { services }: EffectContext): readonly Mode[] {
  const { all, nameable } = services.modes(state.workspace);
  const chosen = new Set(nameable(slug));
  return all().filter((mode) => chosen.has(mode) || state.returnPoints.some((point) => point.mode === mode.slug));
}

/** None if the mode has changed since the step started, because the call was made for the earlier mode. */
const returnPoints = ({ mode, step, returnPoints: points }: SessionState): ModeSlug[] =>
  mode === (step?.mode ?? mode) ? points.map((point) => point.mode) : [];

async function readPlan(workspace: string, session: EffectContext): Promise<AskContext["plan"]> {
  const path = planPath(session.id);
  const judged: Access[] = [{ action: "read", resource: path }];
  const { files } = session.services.tools.ports({ workspace, roots: [], judged, mayRead: () => false, mayFetch: () => "deny" });
  const read = await files.readText(path, AbortSignal.timeout(READING_MS));
  return { path, text: "fault" in read ? "" : read.text };
}

const READING_MS = 5_000;
