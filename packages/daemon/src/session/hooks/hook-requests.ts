import type { SessionEvent } from "@baton/core/protocol/event";
import type { Request } from "@baton/core/protocol/request";
import type { SessionState } from "@baton/core/session/state";
import type { HookApprovalQuestion } from "../../hook/hook-approval-question.ts";
import type { EffectContext } from "../effects/effect-context.ts";
import { contentApproval } from "../servers/content-approval-requests.ts";

/** Opens the questions about hooks that this session has not asked yet. */
export function askAboutHooks(questions: readonly HookApprovalQuestion[], state: SessionState, session: EffectContext): SessionEvent[] {
  const requests = questions.map((question) => toRequest(question, state, session));
  const isNew = ({ id }: Request) => !state.servers.some(({ request }) => request.id === id);
  return requests.filter(isNew).map((request) => ({ type: "request.opened", request }));
}

function toRequest({ file, hashes, ...content }: HookApprovalQuestion, state: SessionState, session: EffectContext): Request {
  return contentApproval(
    content,
    {
      name: "hooks",
      subject: { hooks: file, hashes: [...hashes] },
      allow: { label: "Run them", description: "As long as they stay as shown. Hooks of your own files then run everywhere." },
      deny: { label: "Never run them", description: "Baton does not ask again, as long as they stay as shown." },
    },
    state,
    session,
  );
}

/** Closes questions about hooks that were decided elsewhere, or whose hooks no longer exist. */
export function closeAnsweredHookRequests({ servers, workspace }: SessionState, { services }: EffectContext): SessionEvent[] {
  return servers.flatMap(({ request, answer }): SessionEvent[] => {
    const { subject, id } = request;
    if (answer || !("hooks" in subject) || services.hooks.isOpen(workspace, subject.hashes)) return [];
    return [{ type: "request.closed", requestId: id, reason: "withdrawn" }];
  });
}
