const OMISSION =
  /^\s*(?:\/\/|#|--|\/\*|<!--|\{\/\*)?\s*(?:\.\.\.|\u2026)\s*(?:\(?(?:the )?(?:rest|remaining|remainder|existing|other|previous|unchanged|same|keep)\b.*)/i;

/** A line of the new text that stands for code that the model left out. It would delete that code. Undefined if the old text has it too. */
export function omissionIn(old: string, now: string): string | undefined {
  const kept = new Set(old.split(/\r?\n/).map((line) => line.trim()));
  return now
    .split(/\r?\n/)
    .map((line) => line.trim())
    .find((line) => OMISSION.test(line) && !kept.has(line));
}
