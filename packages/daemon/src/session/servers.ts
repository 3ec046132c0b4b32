import type { SessionEvent } from "@baton/core/protocol/event";
import { requestIdOf } from "@baton/core/protocol/ids";
import type { Request } from "@baton/core/protocol/request";
import type { EffectOf } from "@baton/core/session/next";
import { groupsOf } from "@baton/core/mode/group";
import type { SessionState } from "@baton/core/session/state";
import type { ServerQuestion } from "../mcp/approval.ts";
import type { Loop } from "./loop.ts";

/** Has the servers of the workspace ready for a step whose mode can use them, and asks about those that may not start. */
export async function readyServers(session: Loop, signal: AbortSignal): Promise<void> {
  const { parts, state } = session;
  const mode = parts.modes(state.workspace).get(state.step?.mode ?? state.mode);
  if (!mode || !groupsOf(mode).some((group) => group === "mcp" || group === "configuration")) return;
  await parts.servers.warm(state.workspace, signal);
  if (signal.aborted || state.parent) return;
  const open = new Set(session.state.servers.map(({ request }) => request.id));
  const asked = parts.servers.questions(state.workspace).map((question) => requestAbout(question, session));
  const fresh = asked.filter(({ id }) => !open.has(id));
  if (fresh.length > 0) await session.note(fresh.map((request): SessionEvent => ({ type: "request.opened", request })));
}

function requestAbout({ server, hash, header, text, view }: ServerQuestion, { id, state, parts }: Loop): Request {
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
    openedAt: parts.clock.now(),
    ...(view ? { view } : {}),
  };
}

/** Writes down with the workspace what was said of a server. What a server itself asked has been taken by its call. */
export async function settleServer({ key, request, answer, by }: EffectOf<"settleServer">, session: Loop): Promise<void> {
  if (request.kind === "approval" && "server" in request.subject && request.hash !== undefined)
    await session.parts.servers.settle(session.state.workspace, {
      server: request.subject.server,
      hash: request.hash,
      approved: answer.choice === "workspace",
      by,
    });
  await session.report(key, [{ type: "server.settled", requestId: request.id }]);
}

/** Questions about servers that have been answered elsewhere, or are not what would be asked now, are closed. */
export function serversElsewhere({ servers, workspace }: SessionState, { parts }: Loop): SessionEvent[] {
  const open = servers.filter(({ request, answer }) => request.kind === "approval" && !answer);
  if (open.length === 0) return [];
  const asked = new Set(parts.servers.questions(workspace).map(({ hash }) => hash));
  return open
    .filter(({ request }) => request.hash === undefined || !asked.has(request.hash))
    .map(({ request }) => ({ type: "request.closed", requestId: request.id, reason: "granted" }));
}
