import { omitUndefined } from "@baton/core/text/omit-undefined";
import type { SessionEvent } from "@baton/core/protocol/event";
import type { HookEvent } from "@baton/core/protocol/hook";
import type { Request } from "@baton/core/protocol/request";
import type { SessionState } from "@baton/core/session/state";
import type { HookSubject } from "../../hook/match-hook.ts";
import type { EffectContext } from "../effects/effect-context.ts";
import { hookModes } from "../mode-of-step.ts";
import { askAboutHooks } from "./hook-requests.ts";
import { hookStartEvents } from "./hook-start-events.ts";

/** An event of the session that hooks hear of. */
type Notice = { event: HookEvent; about: string; subject: HookSubject; details?: Record<string, unknown> };

const MAX_ERROR = 10_000;

/** The starts of the hooks that hear of an event. Only those after a call hold the model up, because its words belong to the result. */
export function hooksAfterEvent(
  event: SessionEvent,
  before: SessionState,
  after: SessionState,
  at: number,
  session: EffectContext,
): SessionEvent[] {
  // A change of modes concerns both of them.
  const modes = event.type === "mode.changed" ? [event.from, event.to] : hookModes(after);
  const events = noticesOf(event, before, at).flatMap((notice) => {
    const found = session.services.hooks.find(after.workspace, notice.event, notice.subject, modes);
    return [...askAboutHooks(found.questions, after, session), ...hookStartEvents(found, notice, after)];
  });
  return events;
}

function noticesOf(event: SessionEvent, before: SessionState, at: number): Notice[] {
  if (event.type === "tool.finished") {
    const call = before.calls.find(({ id }) => id === event.callId);
    const { outcome, text } = event.result;
    if (call?.phase !== "running" || (outcome !== "ok" && outcome !== "failed")) return [];
    const about = { about: call.id, subject: { tool: call.tool, accesses: call.verdict?.accesses ?? [] } };
    if (outcome === "ok") return [{ event: "PostToolUse", ...about }];
    return [{ event: "PostToolUseFailure", ...about, details: { error: text.slice(0, MAX_ERROR).toWellFormed(), is_interrupt: false } }];
  }
  if (event.type === "mode.changed") {
    const { from, to, origin } = event;
    return [{ event: "ModeChange", about: `mode ${at}`, subject: { value: to }, details: { from, to, origin } }];
  }
  if (event.type === "request.opened") return noticesOfRequest(event.request);
  if (event.type === "session.archived" && event.archived)
    return [{ event: "SessionEnd", about: `session ${at}`, subject: { value: "archive" }, details: { reason: "archive" } }];
  if (event.type === "context.compacted") {
    const { summary } = event;
    const trigger = before.compaction ? "manual" : "auto";
    return [
      { event: "PostCompact", about: `compaction ${before.compactions}`, subject: { value: trigger }, details: { trigger, summary } },
    ];
  }
  return [];
}

function noticesOfRequest({ id, kind, header, text, tool, subject }: Request): Notice[] {
  if ("hooks" in subject) return [];
  const details = { request_id: id, kind, title: header, message: text, ...omitUndefined({ tool_name: tool }) };
  const type = kind === "approval" ? "permission_prompt" : "elicitation_dialog";
  return [
    { event: "RequestOpened", about: `request ${id}`, subject: { value: kind }, details },
    { event: "Notification", about: `request ${id}`, subject: { value: type }, details: { ...details, notification_type: type } },
  ];
}
