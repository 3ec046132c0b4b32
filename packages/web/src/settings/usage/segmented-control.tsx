type Props<T> = { name: string; values: readonly T[]; chosen: T; word: (value: T) => string; onChoose: (value: T) => void };

/** A few choices of which one holds, side by side. */
export function SegmentedControl<T extends string | number>({ name, values, chosen, word, onChoose }: Props<T>) {
  return (
    <div className="seg" role="group" aria-label={name}>
      {values.map((value) => (
        <button key={value} type="button" aria-pressed={value === chosen} onClick={() => onChoose(value)}>
          {word(value)}
        </button>
      ))}
    </div>
  );
}
