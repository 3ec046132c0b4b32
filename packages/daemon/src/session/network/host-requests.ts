import { hash } from "node:crypto";
import type { SessionEvent } from "@baton/core/protocol/event";
import { MAX_CONNECTION_APPROVAL_WAIT_MS } from "@baton/core/protocol/request-traits";
import { requestIdOf } from "@baton/core/protocol/ids";
import type { Request } from "@baton/core/protocol/request";
import type { SessionState } from "@baton/core/session/state";
import type { EffectContext } from "../effects/effect-context.ts";
import { runInBackground } from "../run-in-background.ts";
import { judge } from "@baton/core/permission/judge";
import type { Verdict } from "@baton/core/protocol/rule";
import { modeInForce } from "../mode-of-step.ts";

/** The answer to a connection. `whileRunning`: it holds until the running commands end. Otherwise a rule decided, and may change. */
export type HostAnswer = { allowed: boolean; why: string; whileRunning?: boolean };

/** Decides whether commands of the session may reach a host. If no rule decides, it asks in the inbox and waits for a limited time. */
export async function mayReachHost(host: string, session: EffectContext, signal: AbortSignal): Promise<HostAnswer> {
  const verdict = judgeHost(host, session.state, session);
  if (verdict.effect !== "ask") return { allowed: verdict.effect === "allow", why: verdict.why };
  const { services } = session;
  const openedAt = services.clock.now();
  const id = requestIdOf(
    session.id,
    `network.${hash("sha256", host).slice(0, 12)}.${openedAt.toString(36)}.${session.state.counts.opened}`,
  );
  await session.note([{ type: "request.opened", request: { ...requestAbout(host, session.state), id, rule: verdict.rule, openedAt } }]);
  const waiting = AbortSignal.any([signal, AbortSignal.timeout(MAX_CONNECTION_APPROVAL_WAIT_MS)]);
  for (;;) {
    const changed = session.live.changed(waiting);
    const closed = session.state.closed.find((request) => request.id === id);
    if (closed?.answer) return answered(closed.answer.choice, host, session);
    if (closed) return afterChange(host, session, closed.reason);
    if (waiting.aborted) {
      runInBackground(session.note([{ type: "request.closed", requestId: id, reason: "expired" }]), services.report);
      return {
        allowed: false,
        whileRunning: true,
        why: `Nobody allowed it within ${MAX_CONNECTION_APPROVAL_WAIT_MS / 1_000} s. Ask the user.`,
      };
    }
    await changed.catch(() => undefined);
  }
}

/** Decides whether a tool may reach a host: it must be one that the tool declares, and no rule may deny it. */
export function mayToolReach(host: string, declared: readonly string[], session: EffectContext): HostAnswer {
  if (!declared.some((each) => each.replace(/:(?:80|443)$/, "") === host))
    return { allowed: false, why: `The tool declares only ${declared.join(", ")}.` };
  const { effect, why } = judgeHost(host, session.state, session);
  return { allowed: effect !== "deny", why };
}

const REMEMBERED = new Set(["session", "workspace"]);

/** A remembered rule is stored after the answer. The answer counts at once, and until the commands end. */
function answered(choice: string | undefined, host: string, session: EffectContext): HostAnswer {
  const judged = judgeHost(host, session.state, session);
  if (judged.effect === "deny") return { allowed: false, why: judged.why }; // the rules became stricter meanwhile
  const allowed = choice === "once" || (choice !== undefined && REMEMBERED.has(choice));
  return { allowed, whileRunning: true, why: allowed ? "The user allowed it." : "The user denied it. Do not try to get around this." };
}

/** The request was closed without an answer, because the rules have changed, or the session was stopped. */
function afterChange(host: string, session: EffectContext, reason: string): HostAnswer {
  const { effect, why } = judgeHost(host, session.state, session);
  if (effect !== "ask") return { allowed: effect === "allow", why };
  return { allowed: false, whileRunning: true, why: `The question to the user was closed (${reason}).` };
}

function requestAbout(host: string, { workspace }: SessionState): Omit<Request, "id" | "openedAt"> {
  return {
    kind: "approval",
    subject: { network: host },
    header: `Let commands connect to ${host}?`,
    text: "A command in the sandbox waits for this connection, at most a minute. “Allow once” and “Deny” hold until the commands that run now have ended.",
    folder: workspace,
    choices: [
      { id: "once", label: "Allow once" },
      { id: "session", label: "This session" },
      { id: "workspace", label: "This workspace" },
      { id: "deny", label: "Deny" },
    ],
    freeText: false,
    hash: hash("sha256", JSON.stringify(["network", host, workspace])),
    remember: { action: "network", resource: host, effect: "allow" },
  };
}

/** Closes questions about hosts that the current rules answer. */
export function closeJudgedHostRequests(state: SessionState, session: EffectContext): SessionEvent[] {
  return state.servers.flatMap(({ request, answer }): SessionEvent[] => {
    if (answer || !("network" in request.subject)) return [];
    const { effect } = judgeHost(request.subject.network, state, session);
    return effect === "ask" ? [] : [{ type: "request.closed", requestId: request.id, reason: "granted" }];
  });
}

/**
 * Judges whether commands of the session may reach a host: by rules about `network`, and by rules that deny fetching from it. The limits of a
 * mode for fetching are not limits for commands. `host` has its port unless it is one of the web.
 */
function judgeHost(host: string, state: SessionState, { services }: EffectContext): Verdict {
  const { workspace, grants, ceilings, roots } = state;
  const mode = modeInForce(state, services);
  if (!mode) return { effect: "deny", rule: null, accesses: [], why: "The mode of the session is not known." };
  const rules = services.permissions.rules({ workspace, mode, grants, ceilings, roots });
  const gated = services.permissions.gate({ action: "network", resource: host }, workspace);
  if ("refused" in gated) return { effect: "deny", rule: null, accesses: [], why: gated.refused };
  const verdict = judge(rules, "network", gated);
  const fetching = ["https", "http"].map((scheme) => judge(rules, "fetch", [{ action: "fetch", resource: `${scheme}://${host}/` }]));
  const denied = fetching.find(
    ({ effect, rule }) => effect === "deny" && rule && rule.layer !== "mode" && !rule.source.startsWith("mode "),
  );
  return verdict.effect === "deny" ? verdict : (denied ?? verdict);
}
