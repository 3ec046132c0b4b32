import type { DelegatedTask } from "@baton/core/protocol/event";

type Priority = DelegatedTask["priority"];
type Waiting = { group: string; priority: Priority; enter: () => void };

const ORDER: readonly Priority[] = ["urgent", "high", "medium", "low"];

/**
 * Limits how many tasks of a group run at once. Groups do not wait for each other. Within a group, the highest priority goes
 * first, then the longest wait.
 */
type ConcurrencyLimit = {
  /** Waits for a slot. Returns the function that releases it, which may be called more than once. */
  enter: (group: string, priority: Priority, signal: AbortSignal) => Promise<() => void>;
  /** Takes a slot at once, for something that already runs. */
  take: (group: string) => () => void;
};

export function openConcurrencyLimit(max: () => number): ConcurrencyLimit {
  const waiting: Waiting[] = [];
  const taken = new Map<string, number>();
  const takenBy = (group: string): number => taken.get(group) ?? 0;
  const admit = (group: string) => {
    while (takenBy(group) < max()) {
      const ofGroup = waiting.filter((each) => each.group === group);
      const first = ORDER.flatMap((priority) => ofGroup.find((each) => each.priority === priority) ?? [])[0];
      if (!first) return;
      waiting.splice(waiting.indexOf(first), 1);
      first.enter();
    }
  };
  const take = (group: string) => {
    taken.set(group, takenBy(group) + 1);
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      if (takenBy(group) > 1) taken.set(group, takenBy(group) - 1);
      else taken.delete(group);
      admit(group);
    };
  };
  return {
    take,
    enter: (group, priority, signal) =>
      new Promise((resolve, reject) => {
        signal.throwIfAborted();
        const giveUp = () => {
          waiting.splice(waiting.indexOf(one), 1);
          reject(signal.reason as Error);
        };
        const one: Waiting = {
          group,
          priority,
          enter: () => {
            signal.removeEventListener("abort", giveUp);
            resolve(take(group));
          },
        };
        signal.addEventListener("abort", giveUp, { once: true });
        waiting.push(one);
        admit(group);
      }),
  };
}
