import type { Delegated } from "@baton/core/protocol/event";

type Priority = Delegated["priority"];
type Waiting = { priority: Priority; enter: () => void };

const ORDER: readonly Priority[] = ["urgent", "high", "medium", "low"];

/** Places for things that run side by side. Who waits is let in by priority, then by how long they have waited. */
export type Places = {
  /** Waits for a place; gives the way to leave it, which may be called more than once. */
  enter: (priority: Priority, signal: AbortSignal) => Promise<() => void>;
  /** Takes a place at once, for what runs already. */
  take: () => () => void;
};

export function openPlaces(most: () => number): Places {
  const waiting: Waiting[] = [];
  let taken = 0;
  const next = () => {
    while (waiting.length > 0 && taken < most()) {
      const first = ORDER.map((priority) => waiting.findIndex((each) => each.priority === priority)).find((at) => at >= 0) ?? 0;
      waiting.splice(first, 1)[0]?.enter();
    }
  };
  const take = () => {
    taken++;
    let left = false;
    return () => {
      if (left) return;
      left = true;
      taken--;
      next();
    };
  };
  return {
    take,
    enter: (priority, signal) =>
      new Promise((resolve, reject) => {
        signal.throwIfAborted();
        const giveUp = () => {
          waiting.splice(waiting.indexOf(one), 1);
          reject(signal.reason as Error);
        };
        const one: Waiting = {
          priority,
          enter: () => {
            signal.removeEventListener("abort", giveUp);
            resolve(take());
          },
        };
        signal.addEventListener("abort", giveUp, { once: true });
        waiting.push(one);
        next();
      }),
  };
}
