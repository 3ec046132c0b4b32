/** Output that followed `position`. `start` is greater than `position` if the text in between was not kept. Positions count characters. */
export type OutputPart = { start: number; text: string };

/** The newest output of a command. The model takes what is new; users read from any position. */
export type CommandOutput = {
  add(text: string): void;
  /** The text since the last call. `omitted`: the number of characters in between that were not kept. */
  take(): { text: string; omitted: number };
  read(position: number): OutputPart;
  /** Resolves at the next text. */
  next(): Promise<void>;
};

const MAX_KEPT = 32 * 1024;

export function openCommandOutput(): CommandOutput {
  let kept = "";
  let start = 0;
  let taken = 0;
  let next = Promise.withResolvers<void>();
  const read = (position: number): OutputPart => {
    const from = Math.max(position, start, start + kept.length - MAX_KEPT);
    return { start: from, text: kept.slice(from - start) };
  };
  return {
    add(text) {
      kept += text;
      if (kept.length > 2 * MAX_KEPT) {
        start += kept.length - MAX_KEPT;
        kept = kept.slice(-MAX_KEPT);
      }
      next.resolve();
      next = Promise.withResolvers();
    },
    take() {
      const part = read(taken);
      const omitted = part.start - taken;
      taken = start + kept.length;
      return { text: part.text, omitted };
    },
    read,
    next: () => next.promise,
  };
}
