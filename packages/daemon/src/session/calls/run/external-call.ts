import { CLIENT_LOST, closeExternalCall } from "./close-external-call.ts";
import type { ToolResult } from "@baton/core/protocol/tool-call";
import type { Request } from "@baton/core/protocol/request";
import type { CallId } from "@baton/core/protocol/ids";
import type { ExternalCall } from "../../../mcp/endpoint/endpoint-options.ts";
import { runInBackground } from "../../run-in-background.ts";
import { checkCall } from "../judge/judge-call.ts";
import type { Session } from "../../session.ts";

/** The first letter of the ids of external calls. Calls of a step begin with `s`. */
const EXTERNAL_PREFIX = "x";

/** Whether another agent made the call that a request is about. Requests of earlier versions show it in the id only. */
export const isExternalCall = ({ subject, external }: Request): boolean =>
  external ?? ("call" in subject && subject.call.startsWith(EXTERNAL_PREFIX));

/**
 * Makes a call of another agent in the session of an endpoint. It is judged, approved, recorded and run like any other call.
 * Resolves when the call has ended. If the client disconnects, the call is withdrawn. `raw` is the server's unchanged answer.
 */
export async function startExternalCall(
  session: Session,
  n: number,
  { tool, input, by, signal, onWaiting, through }: ExternalCall,
): Promise<{ result: ToolResult; raw: unknown }> {
  const { services, live } = session;
  const id = `${EXTERNAL_PREFIX}${services.clock.now().toString(36)}.${n}` as CallId;
  live.open(id, through);
  try {
    await services.environments.prepare(session.state.workspace);
    const label = services.tools.of(session.state).get(tool)?.label(input) ?? { verb: "call", object: tool };
    await session.note([{ type: "call.received", call: { id, tool, input, providerId: id, label }, by }]);
    let isAsked = false;
    for (;;) {
      const changed = session.changed(signal);
      const call = session.state.calls.find((each) => each.id === id);
      if (!call || call.phase === "done") return { result: call?.result ?? CLIENT_LOST, raw: live.takeRaw(id) };
      if (signal.aborted) {
        runInBackground(session.note(closeExternalCall(call)), services.report);
        return { result: CLIENT_LOST, raw: undefined };
      }
      if (call.phase === "waiting" && !isAsked) {
        isAsked = true;
        onWaiting();
      }
      await changed;
    }
  } finally {
    live.shut(id);
  }
}

/** Whether the rules allow a call without a question, so that a part of it may go to the server in advance. */
export function checkExternalCall({ state, services }: Session, tool: string, input: unknown): boolean {
  const checked = checkCall({ tool, input }, state, services);
  return "verdict" in checked && checked.verdict.effect === "allow";
}
