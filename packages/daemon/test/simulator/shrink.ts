/**
 * Searches a tape that breaks the same promise with as few choices as possible, in a limited number of runs. It shortens the tape, removes
 * parts, and lowers numbers.
 */
export async function shrink(
  tape: readonly number[],
  stillBreaks: (tape: readonly number[]) => Promise<boolean>,
  most = 400,
): Promise<number[]> {
  let best = [...tape];
  let runs = 0;
  const better = async (candidate: number[]): Promise<boolean> => {
    if (runs++ >= most || !(await stillBreaks(candidate))) return false;
    best = candidate;
    return true;
  };
  for (let length = Math.floor(best.length / 2); length >= 8; length = Math.floor(length / 2))
    while (best.length > length && (await better(best.slice(0, -length))));
  for (let size = Math.max(1, Math.floor(best.length / 4)); size >= 1; size = Math.floor(size / 2))
    for (let at = 0; at + size <= best.length;) if (!(await better([...best.slice(0, at), ...best.slice(at + size)]))) at += size;
  for (const [at, drawn] of best.entries()) if (drawn !== 0) await better(best.with(at, 0));
  return best;
}
