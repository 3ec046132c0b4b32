/**
 * The version of `SessionState` and of what `reduce` makes of events. Raise it with every change of either, so that no daemon trusts or
 * overwrites a state of another version. `session/state-version.test.ts` fails if you forget it.
 */
export const STATE_VERSION = 16;

/**
 * The version of procedures, their inputs, and events. Raise it if old clients cannot talk to new daemons, or new clients to old
 * daemons. The daemon's `api/wire.test.ts` fails if you forget it.
 */
export const WIRE_VERSION = 1;

/** The version that client and daemon must agree on. Clients fold the daemon's state, so both versions count. Never lower either. */
export const PROTOCOL = WIRE_VERSION + STATE_VERSION;
