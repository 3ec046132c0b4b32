import { reducePlace, type PlaceState } from "@baton/core/place/place-state";
import type { LoggedEvent } from "@baton/core/protocol/event";
import { PlaceEvent, type PlaceId } from "@baton/core/protocol/place";
import type { EventLog } from "../store/event-log.ts";
import type { Clock } from "../system/clock.ts";

/** The places of this machine, folded from their streams. Reads come from memory. */
export type PlaceEventLog = {
  all: () => readonly PlaceState[];
  get: (id: string) => PlaceState | undefined;
  /** Commits an event, and returns the place after it. */
  append: (id: PlaceId, event: PlaceEvent) => Promise<PlaceState>;
};

type Entry = { state: PlaceState | undefined; seq: number; queue: Promise<unknown> };

/** Streams name the machine, because the folder of a place is on its disk, and machines can share a store. */
const streamPrefix = (machine: string): string => `place:${machine}:`;

/** Reads the streams of all places of a machine. `names`: the streams that begin with a prefix. */
export async function openPlaceEventLog(
  log: EventLog,
  clock: Clock,
  { machine, names, changed }: { machine: string; names: (prefix: string) => Promise<string[]>; changed: () => void },
): Promise<PlaceEventLog> {
  const prefix = streamPrefix(machine);
  const entries = new Map<string, Entry>();
  for (const stream of await names(prefix)) {
    const events = await log.read<PlaceEvent>(stream);
    entries.set(stream.slice(prefix.length), { state: fold(events), seq: events.at(-1)?.seq ?? 0, queue: Promise.resolve() });
  }

  const write = async (id: PlaceId, event: PlaceEvent, entry: Entry): Promise<PlaceState> => {
    const [logged] = await log.append({ streamId: prefix + id, after: entry.seq, events: [event], at: clock.now() });
    if (logged) {
      entry.state = reducePlace(entry.state, logged);
      entry.seq = logged.seq;
    }
    changed();
    if (!entry.state) throw new Error(`the place ${id} has no first event`);
    return entry.state;
  };

  return {
    all: () => [...entries.values()].flatMap(({ state }) => state ?? []),
    get: (id) => entries.get(id)?.state,
    append: (id, event) => {
      const entry = entries.get(id) ?? { state: undefined, seq: 0, queue: Promise.resolve() };
      entries.set(id, entry);
      const run = entry.queue.then(() => write(id, event, entry));
      entry.queue = run.catch(() => undefined);
      return run;
    },
  };
}

/** Events of a later version change nothing. */
const fold = (events: readonly LoggedEvent<PlaceEvent>[]): PlaceState | undefined =>
  events.reduce<PlaceState | undefined>(
    (state, event) => (PlaceEvent.safeParse(event).success ? reducePlace(state, event) : state),
    undefined,
  );
