import type { SessionEvent } from "@baton/core/protocol/event";
import type { SessionId } from "@baton/core/protocol/ids";
import type { Message } from "@baton/core/session/context/messages";
import type { Entry } from "@baton/core/session/transcript/entry";
import type { SessionState } from "@baton/core/session/state";
import type { EphemeralState } from "./ephemeral-state.ts";
import type { CallPlans } from "./calls/call-plans.ts";
import type { DeferredReads } from "./deferred-reads.ts";
import type { SessionDependencies } from "./session-dependencies.ts";

/** The view that an effect has of its session: the state, the services, and where to report. */
export type EffectContext = {
  readonly id: SessionId;
  readonly services: SessionDependencies;
  readonly live: EphemeralState;
  readonly looks: DeferredReads;
  readonly plans: CallPlans;
  readonly state: SessionState;
  /** The conversation for the model, as it is now. */
  messages: () => Promise<Message[]>;
  /** The whole conversation, as clients draw it. */
  entries: () => Promise<readonly Entry[]>;
  /** Adds the events of the effect `key`, if it is still wanted. */
  report: (key: string, events: SessionEvent[]) => Promise<void>;
  /** Adds facts that belong to no effect. */
  note: (events: SessionEvent[]) => Promise<void>;
};
