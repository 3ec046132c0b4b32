/**
 * The version of `SessionState` and of what `reduce` makes of events. Raise it with every change of either, so that no
 * daemon trusts or overwrites a state of another version. `session/state-version.test.ts` fails when it was forgotten.
 */
export const STATE_VERSION = 12;

/**
 * The version of procedures, their inputs, and events. Raise it when a client of before cannot talk to a daemon of after,
 * or the other way round. The daemon's `api/wire.test.ts` fails when it was forgotten.
 */
export const WIRE_VERSION = 1;

/** What client and daemon have to agree on. A client folds on from the daemon's state, so both versions count; neither ever goes down. */
export const PROTOCOL = WIRE_VERSION + STATE_VERSION;
