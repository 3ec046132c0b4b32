import type { ChildStatus } from "@baton/core/protocol/tool-call";
import { childIdOf, type SessionId } from "@baton/core/protocol/ids";
import type { SessionState } from "@baton/core/session/state";
import { currentFileChanges } from "@baton/core/session/undo";
import type { Session } from "../session.ts";
import { openConcurrencyLimit } from "./concurrency-limit.ts";
import { reportChildChanges } from "./report-child-changes.ts";
import type { ChildEnd, ChildSessions } from "../session-dependencies.ts";

const byDaemon = { daemon: true } as const;

/** How many children of one session run at once, and how deep delegation may go below a session of the user. */
export type ChildLimits = { perSession: () => number; depth: () => number };

/**
 * `open` returns a session that may have no events yet. Each session has its own limit, so a child that waits for its own
 * children delays only its siblings.
 */
export function openChildSessions(
  open: (id: SessionId) => Promise<Session>,
  limits: ChildLimits,
  live: ChildSessions["live"],
): ChildSessions {
  const limit = openConcurrencyLimit(limits.perSession);
  const cancel = async (childId: SessionId): Promise<void> => {
    const child = await open(childId);
    const below = runningBelow(child.id, child.state, live);
    if (child.state.turn) await child.handle({ type: "interrupt", by: byDaemon }, `cancel-${childId}`);
    await Promise.all(below.map(cancel)); // nobody waits for its subtasks either
    const { parent } = child.state;
    if (parent) await reportChildChanges(child, await open(parent.sessionId), parent.callId);
  };
  return {
    maxDepth: limits.depth,
    async run(parentId, { childId, priority }, begin, watch, signal) {
      const child = await open(childId);
      const leave = child.state.created ? limit.take(parentId) : await limit.enter(parentId, priority, signal);
      try {
        await child.begin(begin(), `begin-${childId}`, { patient: true });
        await firstTurn(child, watch, signal);
      } finally {
        leave();
      }
      return { ...childEnd(child.state), files: currentFileChanges(await child.log.readAll()) };
    },
    live,
    cancel,
  };
}

/** The running subtasks of a session: background ones, and those that a call waits for. */
function runningBelow(id: SessionId, { children, calls }: SessionState, live: ChildSessions["live"]): SessionId[] {
  const awaited = calls.filter(({ phase }) => phase === "running").map((call) => childIdOf(id, call.id));
  return [...children.map(({ childId }) => childId), ...awaited.filter((childId) => live(childId)?.created)];
}

async function firstTurn(child: Session, watch: (state: SessionState) => void, signal: AbortSignal): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    const changed = child.changed(signal);
    watch(child.state);
    if (child.state.turns > 0 && !child.state.turn) return;
    await changed;
  }
}

function childEnd({ lastTurn, counts, usage, variables, handed, createdAt }: SessionState): Omit<ChildEnd, "files"> {
  const text = [lastTurn?.said, lastTurn?.message].filter(Boolean).join("\n\n");
  const tookMs = Math.max(0, (lastTurn?.endedAt ?? createdAt) - createdAt);
  return {
    status: childStatus(lastTurn?.reason),
    tookMs,
    text,
    steps: counts.steps,
    cost: usage.cost,
    initialVariables: variables,
    finalVariables: handed,
  };
}

function childStatus(reason: NonNullable<SessionState["lastTurn"]>["reason"] | undefined): ChildStatus {
  switch (reason) {
    case "stopped":
    case undefined:
      return "cancelled";
    case "completed":
    case "failed":
    case "limit":
    case "blocked":
    case "denied":
      return reason;
  }
}
