import type { SessionEvent } from "@baton/core/protocol/event";
import type { Request } from "@baton/core/protocol/request";
import type { SessionState } from "@baton/core/session/state";
import type { ToolQuestion } from "../../script-tool/tool-question.ts";
import type { EffectContext } from "../effects/effect-context.ts";
import { contentApproval, openNewRequests, withdrawUnasked } from "./content-approval-requests.ts";

/** Asks about tools that are files and that nobody has decided, before a step that could use them. Nothing waits for the answer. */
export async function askAboutTools(session: EffectContext): Promise<void> {
  const { state, services } = session;
  if (state.parent) return;
  const questions = services.scriptTools.questions(state.workspace);
  await openNewRequests(
    questions.map((question) => toRequest(question, session)),
    session,
  );
}

function toRequest({ folder, hashes, ...content }: ToolQuestion, session: EffectContext): Request {
  return contentApproval(
    content,
    {
      name: "tools",
      subject: { tools: folder, hashes: [...hashes] },
      allow: { label: "Allow here", description: "As long as they stay as shown. Tools of your own folder may then be used everywhere." },
      deny: { label: "Never use them", description: "Baton does not ask again, as long as they stay as shown." },
    },
    session.state,
    session,
  );
}

/** Closes questions about tools that were decided elsewhere, or that have changed. */
export function closeAnsweredToolRequests({ servers, workspace }: SessionState, { services }: EffectContext): SessionEvent[] {
  const open = servers.flatMap(({ request, answer }) => (!answer && "tools" in request.subject ? [request] : []));
  if (open.length === 0) return [];
  const asked = services.scriptTools.questions(workspace).map(({ hash }) => hash);
  return withdrawUnasked(open, asked);
}
