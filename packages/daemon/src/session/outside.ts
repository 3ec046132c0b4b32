import type { Result } from "@baton/core/protocol/call";
import type { SessionEvent } from "@baton/core/protocol/event";
import type { CallId } from "@baton/core/protocol/ids";
import type { Actor } from "@baton/core/protocol/request";
import type { Call } from "@baton/core/session/state";
import { inBackground } from "./in-background.ts";
import type { Session } from "./session.ts";
import { withdrawn } from "./transit.ts";

/** How the ids of such calls begin; those of steps begin otherwise. */
export const OUTSIDE = "x";

/** A call that another agent makes. `onWaiting` is called once when a person has to be asked. */
export type OutsideCall = { tool: string; input: unknown; by: Actor; signal: AbortSignal; onWaiting: () => void };

/**
 * Makes a call in the session of an endpoint: judged, asked about, written down and run as any other. Resolves when it has ended;
 * a client that goes away takes it back. `raw` is what the server answered, as it was.
 */
export async function callFromOutside(
  session: Session,
  n: number,
  { tool, input, by, signal, onWaiting }: OutsideCall,
): Promise<{ result: Result; raw: unknown }> {
  const { parts, live } = session;
  const id = `${OUTSIDE}${parts.clock.now().toString(36)}.${n}` as CallId;
  const label = parts.tools(session.state).get(tool)?.label(input) ?? { verb: "call", object: tool };
  await session.note([{ type: "call.received", call: { id, tool, input, providerId: id, label }, by }]);
  let isAsked = false;
  for (;;) {
    const changed = session.changed(signal);
    const call = session.state.calls.find((each) => each.id === id);
    if (!call || call.phase === "done") return { result: call?.result ?? LOST, raw: live.takeRaw(id) };
    if (signal.aborted) {
      inBackground(session.note(closedOutside(call)), parts.report);
      return { result: LOST, raw: undefined };
    }
    if (call.phase === "waiting" && !isAsked) {
      isAsked = true;
      onWaiting();
    }
    await changed;
  }
}

/** Nobody waits for this call any more. */
export const closedOutside = (call: Call): SessionEvent[] => [...withdrawn(call), { type: "tool.finished", callId: call.id, result: LOST }];

const LOST: Result = { outcome: "interrupted", text: "The client that asked for it is gone.", end: "client gone" };
