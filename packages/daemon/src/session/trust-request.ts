import type { SessionEvent } from "@baton/core/protocol/event";
import { requestIdOf, type SessionId } from "@baton/core/protocol/ids";
import type { Request } from "@baton/core/protocol/request";
import type { EffectOf } from "@baton/core/session/next-effects";
import type { SessionState } from "@baton/core/session/state";
import type { EffectContext } from "./effect-context.ts";
import { retryOnStoreError } from "./retry-on-store-error.ts";

/** The question whether a workspace is trusted; `found` are the files of the project that would then count. */
export function trustRequest(session: SessionId, workspace: string, found: readonly string[], now: number): Request {
  const files = found.length === 0 ? "It has none of these now." : `It has: ${found.map((file) => `\`${file}\``).join(", ")}.`;
  return {
    id: requestIdOf(session, "trust"),
    kind: "question",
    subject: { workspace },
    header: "Trust this folder?",
    text: `Do you trust what is in ${workspace}?`,
    view: {
      type: "text",
      format: "markdown",
      text: `In a trusted folder, the project's own modes, rules, instructions and MCP servers count, and commands that only read do not ask. They can make the agent's work stricter, never wider. ${files}`,
    },
    folder: workspace,
    choices: [
      { id: "trust", label: "Trust it", description: "Its modes, instructions and rules count from now on." },
      { id: "restrict", label: "Do not trust it", description: "Its files can be read; nothing in them acts. Every command asks." },
    ],
    freeText: false,
    openedAt: now,
  };
}

/** Writes down with the workspace what was said. Anything but the exact word of trust is none. */
export async function resolveTrust(
  { key, answer, by }: EffectOf<"settleTrust">,
  session: EffectContext,
  signal: AbortSignal,
): Promise<void> {
  const trusted = answer.choice === "trust";
  await retryOnStoreError(() => session.services.permissions.resolveTrust(session.state.workspace, trusted, by), session, signal);
  await session.report(key, [{ type: "trust.settled", trusted }]);
}

/** A question of trust that has been answered elsewhere is closed. */
export function closeTrustRequest({ trust, workspace }: SessionState, { services }: EffectContext): SessionEvent[] {
  if (!trust || trust.answer || services.permissions.trust(workspace) === "unknown") return [];
  return [{ type: "request.closed", requestId: trust.request.id, reason: "granted" }];
}
