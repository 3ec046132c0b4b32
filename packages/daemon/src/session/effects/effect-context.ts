import type { SessionEvent } from "@baton/core/protocol/event";
import type { SessionId } from "@baton/core/protocol/ids";
import type { SessionState } from "@baton/core/session/state";
import type { LiveStreams } from "../live-streams.ts";
import type { CallPlans } from "../calls/judge/call-plans.ts";
import type { DeferredReads } from "./deferred-reads.ts";
import type { SessionDependencies } from "../session-dependencies.ts";
import type { SessionLog } from "../session-log.ts";

/** The view that an effect has of its session: the state, the services, and where to report. */
export type EffectContext = {
  readonly id: SessionId;
  readonly services: SessionDependencies;
  readonly live: LiveStreams;
  readonly looks: DeferredReads;
  readonly plans: CallPlans;
  /** The conversation, as it is now. */
  readonly log: Pick<SessionLog, "messages" | "entries">;
  readonly state: SessionState;
  /** Adds the events of the effect `key`, if it is still wanted. */
  report: (key: string, events: SessionEvent[]) => Promise<void>;
  /** Adds facts that belong to no effect. */
  note: (events: SessionEvent[]) => Promise<void>;
};
