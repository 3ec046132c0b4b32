type StreamEvent = { type: string };

/** Turns an event of one version into the next version of it. */
export type Upcast = (event: StreamEvent) => StreamEvent;

/**
 * The lifts of each type of event, from version 1 on. A type without an entry has version 1. A released event keeps its
 * meaning: a field that an older daemon may ignore is added without a new version, everything else is a new lift here or a
 * new type, and raises `STATE_VERSION`. Stores hold events of every version, so a lift is never changed or removed.
 */
export const upcasts: ReadonlyMap<string, readonly Upcast[]> = new Map();

/** The version in which events of a type are written now. */
export const latestVersionOf = (type: string, table = upcasts): number => 1 + (table.get(type)?.length ?? 0);

/** An event as it is written: `v` names its version where that is not 1. */
export function withVersion<E extends StreamEvent>(event: E, table = upcasts): E & { v?: number } {
  const newest = latestVersionOf(event.type, table);
  return newest === 1 ? event : { ...event, v: newest };
}

/**
 * An event of the log in the newest version that this daemon knows. An event of a later version becomes one of a type that
 * nobody knows (`prompt.received@3`), so that nothing takes it for what it is not.
 */
export function upcast(event: StreamEvent & { v?: unknown }, table = upcasts): StreamEvent {
  const { type, v = 1 } = event;
  const newest = latestVersionOf(type, table);
  if (v === newest) return event;
  if (typeof v !== "number" || !Number.isInteger(v) || v < 1 || v > newest) return { ...event, type: `${type}@${String(v)}` };
  const lifted = (table.get(type) ?? []).slice(v - 1).reduce((older, lift) => lift(older), event);
  return withVersion(lifted, table);
}
