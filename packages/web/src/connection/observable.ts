/** A value that can be read and watched. */
export type ObservableValue<T> = { get: () => T; watch: (onChange: () => void) => () => void };

export type SettableValue<T> = ObservableValue<T> & { set: (value: T) => void };

export function observableValue<T>(first: T): SettableValue<T> {
  let value = first;
  const watchers = new Set<() => void>();
  return {
    get: () => value,
    set: (next) => {
      if (Object.is(next, value)) return;
      value = next;
      for (const onChange of watchers) onChange();
    },
    watch: (onChange) => {
      watchers.add(onChange);
      return () => void watchers.delete(onChange);
    },
  };
}
