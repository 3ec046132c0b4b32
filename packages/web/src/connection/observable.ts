/** A value that can be read and watched. */
export type ObservableValue<T> = { get: () => T; watch: (look: () => void) => () => void };

export type SettableValue<T> = ObservableValue<T> & { set: (value: T) => void };

export function observableValue<T>(first: T): SettableValue<T> {
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
