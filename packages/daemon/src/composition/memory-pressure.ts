import { getHeapStatistics } from "node:v8";
import type { Clock } from "../system/clock.ts";

/** Above this part of what V8 may take, what can be read again is let go of. */
const TIGHT = 0.6;
/** What V8 counts into its limit for new objects. They never take as much, so it is of no help to those that stay. */
const FOR_NEW = 192 * 1024 * 1024;
const LOOK_MS = 200;

/** Tells whether memory runs short. Asked at every commit; looked at now and then. */
export function watchMemoryPressure(clock: Clock): () => boolean {
  let lookAt = 0;
  return () => {
    if (clock.ticks() < lookAt) return false;
    lookAt = clock.ticks() + LOOK_MS;
    const { used_heap_size: used, heap_size_limit: most } = getHeapStatistics();
    return used > (most - FOR_NEW) * TIGHT;
  };
}
