/** The limit for one text, in milliseconds. The daemon does nothing else meanwhile. */
const MAX_MS = 3_000;

let end = Infinity;

/** Judges a text within the time limit. The gate is synchronous, so it judges one text at a time. */
export function withTimeLimit<T>(judgeText: () => T): T {
  end = performance.now() + MAX_MS;
  try {
    return judgeText();
  } finally {
    end = Infinity;
  }
}

/** True if the time for the text is over. Then the gate asks about the whole text, so a function may leave out the rest of its work. */
export const isOverTime = (): boolean => performance.now() > end;
