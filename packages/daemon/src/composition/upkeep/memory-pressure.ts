import { getHeapStatistics } from "node:v8";
import type { Clock } from "../../system/clock.ts";

/** Above this share of V8's heap limit, memory that can be read again is freed. */
const TIGHT = 0.6;
/** The part of its limit that V8 reserves for new objects. They never use all of it. */
const FOR_NEW = 192 * 1024 * 1024;
const LOOK_MS = 200;

/** Tells whether memory is short. Called at every commit, so it reads the heap only now and then. */
export function watchMemoryPressure(clock: Clock): () => boolean {
  let lookAt = 0;
  return () => {
    if (clock.ticks() < lookAt) return false;
    lookAt = clock.ticks() + LOOK_MS;
    const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics();
    return used > (limit - FOR_NEW) * TIGHT;
  };
}
