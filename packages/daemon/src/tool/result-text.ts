/** Control characters, and characters that make a text look different from what it is. */
// oxlint-disable-next-line no-control-regex
const HIDDEN = /[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

const SHORT: Record<string, string> = { "\n": "\\n", "\t": "\\t", "\r": "\\r" };

/** A text for one line of a screen. Control and direction characters are escaped. */
export const escapeHidden = (text: string): string =>
  text.replace(HIDDEN, (letter) => SHORT[letter] ?? `\\u{${letter.charCodeAt(0).toString(16)}}`);

/** `12 ms`, `11.4 s`, `2 min 5 s`. */
export function formatShortDuration(ms: number): string {
  if (ms < 999.5) return `${Math.max(1, Math.round(ms))} ms`;
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  return seconds % 60 === 0 ? `${seconds / 60} min` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
