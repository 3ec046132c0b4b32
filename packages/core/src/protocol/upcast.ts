type StreamEvent = { type: string };

/** Converts an event from one version to the next. */
export type Upcast = (event: StreamEvent) => StreamEvent;

/**
 * The conversions of each type of event, from version 1 on. A type without an entry has version 1. A released event keeps its meaning. A
 * field that an older daemon may ignore needs no new version. Any other change is a new conversion here or a new type, and raises
 * `STATE_VERSION`. Stores hold events of every version, so never change or remove a conversion.
 */
export const upcasts: ReadonlyMap<string, readonly Upcast[]> = new Map();

/** The version in which this daemon writes events of a type. */
export const latestVersionOf = (type: string, table = upcasts): number => 1 + (table.get(type)?.length ?? 0);

/** An event as it is written. `v` is its version if that is not 1. */
export function withVersion<E extends StreamEvent>(event: E, table = upcasts): E & { v?: number } {
  const newest = latestVersionOf(event.type, table);
  return newest === 1 ? event : { ...event, v: newest };
}

/**
 * Converts an event of the log to the newest version that this daemon knows. An event of a later version gets an unknown type
 * (`prompt.received@3`), so that no code misreads it.
 */
export function upcastEvent(event: StreamEvent & { v?: unknown }, table = upcasts): StreamEvent {
  const { type, v = 1 } = event;
  const newest = latestVersionOf(type, table);
  if (v === newest) return event;
  if (typeof v !== "number" || !Number.isInteger(v) || v < 1 || v > newest) return { ...event, type: `${type}@${String(v)}` };
  const converted = (table.get(type) ?? []).slice(v - 1).reduce((older, convert) => convert(older), event);
  return withVersion(converted, table);
}
