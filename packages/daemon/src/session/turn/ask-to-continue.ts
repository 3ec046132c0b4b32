import type { SessionEvent } from "@baton/core/protocol/event";
import { requestIdOf } from "@baton/core/protocol/ids";
import type { TurnQuestion } from "@baton/core/protocol/request";
import type { SessionState } from "@baton/core/session/state";
import type { EffectContext } from "../effects/effect-context.ts";

/** `name`: the limit in the id of the request. `more`: how far the turn may go on. */
type Limit = { name: string; about: TurnQuestion; text: string; more: string };

/** Asks whether the turn goes on at a limit. */
export function askToContinue(
  turn: number,
  { name, about, text, more }: Limit,
  { step, workspace }: Pick<SessionState, "step" | "workspace">,
  { id, services }: Pick<EffectContext, "id" | "services">,
): SessionEvent {
  return {
    type: "request.opened",
    request: {
      id: requestIdOf(id, `t${turn}.${name}.${step?.n ?? 0}`),
      kind: "approval",
      subject: { turn },
      about,
      header: "Go on?",
      text,
      folder: workspace,
      choices: [
        { id: "continue", label: "Go on", description: more },
        { id: "stop", label: "Stop here" },
      ],
      freeText: false,
      openedAt: services.clock.now(),
    },
  };
}
