import type { SessionEvent } from "@baton/core/protocol/event";
import type { Request } from "@baton/core/protocol/request";
import { groupsOf } from "@baton/core/mode/tool-groups";
import type { SessionState } from "@baton/core/session/state";
import type { EnvironmentQuestion } from "../../dev-environment/environment-question.ts";
import type { EffectContext } from "../effects/effect-context.ts";
import { modeInForce } from "../mode-of-step.ts";
import { contentApproval, openNewRequests, withdrawUnasked } from "./content-approval-requests.ts";

/**
 * Reads the environment of the folder before a step that could run commands, and offers one that is there and not chosen. Nothing waits for the
 * answer.
 */
export async function readyEnvironment(session: EffectContext, signal: AbortSignal): Promise<void> {
  const { state, services } = session;
  const mode = modeInForce(state, services);
  if (!mode || !groupsOf(mode).includes("command")) return;
  await unlessAborted(services.environments.prepare(state.workspace), signal);
  if (signal.aborted || state.parent) return;
  const questions = services.environments.ask(state.workspace);
  await openNewRequests(
    questions.map((question) => toRequest(question, session)),
    session,
  );
}

/** Stops waiting when the signal aborts. The work goes on, for other sessions. */
async function unlessAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const stop = () => resolve();
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  await Promise.race([work, promise]);
  signal.removeEventListener("abort", stop);
}

function toRequest({ folder, uses, hashes, ...content }: EnvironmentQuestion, session: EffectContext): Request {
  return contentApproval(
    content,
    {
      name: "environment",
      subject: { environment: folder, uses: [...uses], hashes: [...hashes] },
      allow: {
        label: "Use it",
        description: "In this folder, as long as its files stay as shown. `baton environment` changes it later.",
      },
      deny: {
        label: "Never use it",
        description: "Commands run as before, and Baton does not ask again as long as the files stay as shown.",
      },
    },
    session.state,
    session,
  );
}

/** Closes questions about an environment that were decided elsewhere, or whose files have changed. */
export function closeAnsweredEnvironmentRequests({ servers, workspace }: SessionState, { services }: EffectContext): SessionEvent[] {
  const open = servers.flatMap(({ request, answer }) => (!answer && "environment" in request.subject ? [request] : []));
  if (open.length === 0) return [];
  const asked = services.environments.questions(workspace).map(({ hash }) => hash);
  return withdrawUnasked(open, asked);
}
