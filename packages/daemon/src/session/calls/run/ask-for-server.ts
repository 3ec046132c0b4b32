import { requestIdOf, type CallId } from "@baton/core/protocol/ids";
import type { Answer } from "@baton/core/protocol/request";
import type { ServerQuestion } from "../../../tool/tool-types.ts";
import { runInBackground } from "../../run-in-background.ts";
import type { EffectContext } from "../../effect-context.ts";

/**
 * Puts a server's question into the inbox and waits for the answer. The question depends on the server's process, so it cannot
 * survive the daemon: a restart closes it. Rejects when the call ends first.
 */
export async function askToStartServer(
  call: CallId,
  { server, ...question }: ServerQuestion,
  session: EffectContext,
  signal: AbortSignal,
): Promise<Answer> {
  const { services } = session;
  const openedAt = services.clock.now();
  const id = requestIdOf(session.id, `${call}.${openedAt.toString(36)}.${session.state.counts.opened}`);
  await session.note([
    { type: "request.opened", request: { ...question, id, subject: { server }, folder: session.state.workspace, openedAt } },
  ]);
  for (;;) {
    const changed = session.live.changed(signal);
    const closed = session.state.closed.find((request) => request.id === id);
    if (closed?.answer) return closed.answer;
    if (signal.aborted || closed) {
      if (!closed) runInBackground(session.note([{ type: "request.closed", requestId: id, reason: "expired" }]), services.report);
      throw new Error("the call ended before the question was answered");
    }
    await changed;
  }
}
