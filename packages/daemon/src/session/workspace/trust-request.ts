import type { SessionEvent } from "@baton/core/protocol/event";
import { requestIdOf, type SessionId } from "@baton/core/protocol/ids";
import type { Request } from "@baton/core/protocol/request";
import type { SessionEffectOf } from "@baton/core/session/next-effects";
import type { SessionState } from "@baton/core/session/state";
import type { EffectContext } from "../effects/effect-context.ts";
import { retryOnStoreError } from "../retry-on-store-error.ts";

/** Asks whether the user trusts a workspace. `found`: the files of the project that would take effect. */
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
      text: `In a trusted folder, the project's own modes, rules, instructions and MCP servers take effect, and commands that only read or stay in the sandbox do not ask. A project can make the agent's work stricter, never wider. ${files}`,
    },
    folder: workspace,
    choices: [
      { id: "trust", label: "Trust it", description: "Its modes, instructions and rules take effect now." },
      {
        id: "restrict",
        label: "Do not trust it",
        description: "The agent can read its files, and nothing in them takes effect. Every command asks.",
      },
    ],
    freeText: false,
    openedAt: now,
  };
}

/** Stores the answer with the workspace. Anything but an explicit yes means no. */
export async function resolveTrust(
  { key, answer, by }: SessionEffectOf<"settleTrust">,
  session: EffectContext,
  signal: AbortSignal,
): Promise<void> {
  const trusted = answer.choice === "trust";
  await retryOnStoreError(() => session.services.permissions.resolveTrust(session.state.workspace, trusted, by), session, signal);
  await session.report(key, [{ type: "trust.settled", trusted }]);
}

/** Closes a question of trust that was answered elsewhere. */
export function closeTrustRequest({ trust, workspace }: SessionState, { services }: EffectContext): SessionEvent[] {
  if (!trust || trust.answer || services.permissions.trust(workspace) === "unknown") return [];
  return [{ type: "request.closed", requestId: trust.request.id, reason: "granted" }];
}
