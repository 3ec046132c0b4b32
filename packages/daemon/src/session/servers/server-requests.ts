import type { SessionEvent } from "@baton/core/protocol/event";
import type { Actor, Request } from "@baton/core/protocol/request";
import type { SessionEffectOf } from "@baton/core/session/next-effects";
import { groupsOf } from "@baton/core/mode/tool-groups";
import type { Call, SessionState } from "@baton/core/session/state";
import type { ServerQuestion } from "../../mcp/server-approval.ts";
import type { EffectContext } from "../effects/effect-context.ts";
import { modeInForce, modeOfStep } from "../mode-of-step.ts";
import { retryOnStoreError } from "../retry-on-store-error.ts";
import { contentApproval } from "./content-approval-requests.ts";

/** Starts the servers of the workspace before a step whose mode can use them, and asks about those that may not start. */
export async function readyServers(session: EffectContext, signal: AbortSignal): Promise<void> {
  const { services, state } = session;
  const mode = modeInForce(state, services);
  if (!mode || !groupsOf(mode).some((group) => group === "mcp" || group === "configuration")) return;
  await services.servers.warm(state.workspace, mode.slug, signal);
  if (signal.aborted || state.parent) return;
  const open = new Set(session.state.servers.map(({ request }) => request.id));
  const openQuestions = services.servers.questions(state.workspace, mode.slug).map((question) => requestAbout(question, session));
  const fresh = openQuestions.filter(({ id }) => !open.has(id)).map((request): SessionEvent => ({ type: "request.opened", request }));
  const events = [...requestsOfRemovedServers(session.state, session), ...fresh];
  if (events.length > 0) await session.note(events);
}

/**
 * Waits briefly for servers when a call names an unknown tool. After a restart, servers start only when they are needed, and an
 * answered call may be the first to need one.
 */
export const awaitServerStart = (state: SessionState, { services }: EffectContext): Promise<void> =>
  services.servers.warm(state.workspace, modeOfStep(state), AbortSignal.timeout(WARM_MS));

/** Whether a tool that is missing now may still appear. */
export const mayToolAppear = (call: Pick<Call, "tool">, state: SessionState, session: EffectContext): boolean =>
  !isKnownTool(call, state, session) && session.services.servers.starting(state.workspace);

export const isKnownTool = ({ tool }: Pick<Call, "tool">, state: SessionState, { services }: EffectContext): boolean =>
  services.tools.of(state).get(tool) !== undefined;

const WARM_MS = 5_000;

function requestAbout({ server, ...content }: ServerQuestion, session: EffectContext): Request {
  return contentApproval(
    content,
    {
      name: `server.${server}`, // two servers may have the same tools
      subject: { server },
      allow: { label: "Allow here", description: "In this workspace, as long as it stays as shown." },
      deny: { label: "Deny", description: "Baton does not ask again, as long as it stays as shown." },
    },
    session.state,
    session,
  );
}

/** Stores the user's decision about a server with the workspace. A question from a server itself is answered by its call. */
export async function resolveServerRequest(
  { key, request, answer, by }: SessionEffectOf<"settleServer">,
  session: EffectContext,
  signal: AbortSignal,
): Promise<void> {
  const settle = settlementOf(request, answer.choice === "workspace", by, session);
  if (settle) await retryOnStoreError(settle, session, signal);
  await session.report(key, [{ type: "server.settled", requestId: request.id }]);
}

/** Stores a decision. Undefined if the request needs none. */
function settlementOf(
  { kind, subject, hash }: Request,
  approved: boolean,
  by: Actor,
  { services, state: { workspace } }: EffectContext,
): (() => Promise<void>) | undefined {
  if ("hooks" in subject) return () => services.hooks.settle(workspace, subject.hashes, approved, by);
  if ("tools" in subject) return () => services.scriptTools.settle(workspace, subject.hashes, approved, by);
  if ("environment" in subject) return () => services.environments.settle(workspace, subject, approved, by);
  if (kind !== "approval" || !("server" in subject) || hash === undefined) return undefined;
  return () => services.servers.settle(workspace, { server: subject.server, hash, approved, by });
}

/** Closes questions about servers that were answered elsewhere or are no longer needed. */
export function closeAnsweredServerRequests(state: SessionState, session: EffectContext): SessionEvent[] {
  const open = openAbout(state);
  if (open.length === 0) return [];
  const removed = requestsOfRemovedServers(state, session);
  const openQuestions = session.services.servers.questions(state.workspace);
  const isSettled = ({ id, hash, subject }: Request) =>
    !openQuestions.some((question) => question.hash === hash && "server" in subject && question.server === subject.server) &&
    !removed.some(({ requestId }) => requestId === id);
  return [...removed, ...open.filter(isSettled).map(({ id }): Closed => ({ type: "request.closed", requestId: id, reason: "granted" }))];
}

/** Questions about servers that are no longer configured, or are configured differently. */
export function requestsOfRemovedServers(state: SessionState, { services }: EffectContext): Closed[] {
  const open = openAbout(state);
  if (open.length === 0) return [];
  const names = services.servers.names(state.workspace);
  const openQuestions = services.servers.questions(state.workspace);
  return open
    .filter(({ subject, hash }) => {
      const ofIt = openQuestions.filter(({ server }) => "server" in subject && server === subject.server);
      const isThere = "server" in subject && names.includes(subject.server);
      return !isThere || (ofIt.length > 0 && !ofIt.some((question) => question.hash === hash));
    })
    .map(({ id }) => ({ type: "request.closed", requestId: id, reason: "withdrawn" }));
}

type Closed = Extract<SessionEvent, { type: "request.closed" }>;

/** A question from a server itself is no approval. */
const openAbout = ({ servers }: SessionState): Request[] =>
  servers.flatMap(({ request, answer }) => ("server" in request.subject && request.kind === "approval" && !answer ? [request] : []));
