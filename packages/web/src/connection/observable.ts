/** One value that can be looked at and watched; nobody else can set it. */
export type Watched<T> = { get: () => T; watch: (look: () => void) => () => void };

export type Settable<T> = Watched<T> & { set: (value: T) => void };

export function watched<T>(first: T): Settable<T> {
  let value = first;
  const watchers = new Set<() => void>();
  return {
    get: () => value,
    set: (next) => {
      if (Object.is(next, value)) return;
      value = next;
      for (const look of watchers) look();
    },
    watch: (look) => {
      watchers.add(look);
      return () => void watchers.delete(look);
    },
  };
}
