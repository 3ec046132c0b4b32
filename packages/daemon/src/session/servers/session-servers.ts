import type { SessionEvent } from "@baton/core/protocol/event";
import { requestIdOf } from "@baton/core/protocol/ids";
import type { Request } from "@baton/core/protocol/request";
import type { EffectOf } from "@baton/core/session/next-effects";
import { groupsOf } from "@baton/core/mode/tool-groups";
import type { Call, SessionState } from "@baton/core/session/state";
import type { ServerQuestion } from "../../mcp/server-approval.ts";
import type { EffectContext } from "../effect-context.ts";
import { retryOnStoreError } from "../retry-on-store-error.ts";

/** Has the servers of the workspace ready for a step whose mode can use them, and asks about those that may not start. */
export async function readyServers(session: EffectContext, signal: AbortSignal): Promise<void> {
  const { services, state } = session;
  const mode = services.modes(state.workspace).get(state.step?.mode ?? state.mode);
  if (!mode || !groupsOf(mode).some((group) => group === "mcp" || group === "configuration")) return;
  await services.servers.warm(state.workspace, signal);
  if (signal.aborted || state.parent) return;
  const open = new Set(session.state.servers.map(({ request }) => request.id));
  const asked = services.servers.questions(state.workspace).map((question) => requestAbout(question, session));
  const fresh = asked.filter(({ id }) => !open.has(id)).map((request): SessionEvent => ({ type: "request.opened", request }));
  const events = [...requestsOfRemovedServers(session.state, session), ...fresh];
  if (events.length > 0) await session.note(events);
}

/**
 * Waits a little for the servers, where a call is for a tool that nobody knows: after a restart they are started when they are
 * first wanted, and it may be an answer to what was asked before that wants them.
 */
export const serversStarted = ({ workspace }: SessionState, { services }: EffectContext): Promise<void> =>
  services.servers.warm(workspace, AbortSignal.timeout(WARM_MS));

/** Whether it is too early to say that there is no such tool. */
export const mayToolAppear = (call: Pick<Call, "tool">, state: SessionState, session: EffectContext): boolean =>
  !isKnownTool(call, state, session) && session.services.servers.starting(state.workspace);

export const isKnownTool = ({ tool }: Pick<Call, "tool">, state: SessionState, { services }: EffectContext): boolean =>
  services.tools.of(state).get(tool) !== undefined;

const WARM_MS = 5_000;

function requestAbout({ server, hash, header, text, view }: ServerQuestion, { id, state, services }: EffectContext): Request {
  return {
    id: requestIdOf(id, `server.${hash.slice(0, 16)}`),
    kind: "approval",
    subject: { server },
    header,
    text,
    folder: state.workspace,
    choices: [
      { id: "workspace", label: "Allow here", description: "In this workspace, as long as it stays as it is shown." },
      { id: "deny", label: "Deny", description: "It is not asked again, as long as it stays as it is shown." },
    ],
    freeText: false,
    hash,
    openedAt: services.clock.now(),
    ...(view ? { view } : {}),
  };
}

/** Writes down with the workspace what was said of a server. What a server itself asked has been taken by its call. */
export async function resolveServerRequest(
  { key, request, answer, by }: EffectOf<"settleServer">,
  session: EffectContext,
  signal: AbortSignal,
): Promise<void> {
  const { services, state } = session;
  const { subject, hash } = request;
  if (request.kind === "approval" && "server" in subject && hash !== undefined) {
    const said = { server: subject.server, hash, approved: answer.choice === "workspace", by };
    await retryOnStoreError(() => services.servers.settle(state.workspace, said), session, signal);
  }
  await session.report(key, [{ type: "server.settled", requestId: request.id }]);
}

/** Questions about servers that have been answered elsewhere are closed, and those that nothing is left of. */
export function closeAnsweredServerRequests(state: SessionState, session: EffectContext): SessionEvent[] {
  const open = openAbout(state);
  if (open.length === 0) return [];
  const gone = requestsOfRemovedServers(state, session);
  const asked = session.services.servers.questions(state.workspace);
  const isSettled = ({ id, hash }: Request) =>
    !asked.some((question) => question.hash === hash) && !gone.some(({ requestId }) => requestId === id);
  return [...gone, ...open.filter(isSettled).map(({ id }): Closed => ({ type: "request.closed", requestId: id, reason: "granted" }))];
}

/** Questions about servers that are not configured any more, or otherwise than was asked, are taken back. */
export function requestsOfRemovedServers(state: SessionState, { services }: EffectContext): Closed[] {
  const open = openAbout(state);
  if (open.length === 0) return [];
  const names = services.servers.names(state.workspace);
  const asked = services.servers.questions(state.workspace);
  return open
    .filter(({ subject, hash }) => {
      const ofIt = asked.filter(({ server }) => "server" in subject && server === subject.server);
      const isThere = "server" in subject && names.includes(subject.server);
      return !isThere || (ofIt.length > 0 && !ofIt.some((question) => question.hash === hash));
    })
    .map(({ id }) => ({ type: "request.closed", requestId: id, reason: "withdrawn" }));
}

type Closed = Extract<SessionEvent, { type: "request.closed" }>;

/** What a server itself asks is no approval. */
const openAbout = ({ servers }: SessionState): Request[] =>
  servers.flatMap(({ request, answer }) => (request.kind === "approval" && !answer ? [request] : []));
