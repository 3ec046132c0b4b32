import type { Gated } from "@baton/core/permission/judge";
import type { Effect } from "@baton/core/protocol/rule";

const MOST_BYTES = 10_000;

/** Control characters, and the ones that make a text read otherwise than it runs. Tabs and line ends are not among them. */
// oxlint-disable-next-line no-control-regex
const HIDDEN = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/;

/** One word that a shell passes on as it stands: nothing to expand, to quote, to match or to assign. */
const WORD = /^[A-Za-z0-9_./:@%+,=^~-]+$/;
const EXPANDED_AT_START = /^[~^=]/;
const TILDE_AFTER_SIGN = /[^A-Za-z0-9_~]~/;
const ASSIGNMENT = /^[A-Za-z_][A-Za-z0-9_]*\+?=/;

const RESERVED = new Set("if then elif else fi time for in until while do done case esac coproc select function".split(" "));

/**
 * Makes the access of a command exact. Only a plain one can be covered by a wildcard; any other is asked for each time,
 * and what hides characters is refused.
 */
export function gateCommand(text: string): Gated[] {
  const access = { action: "command", resource: text };
  const limit = (effect: Effect, source: string): Gated[] => [
    { ...access, floor: { ...access, resource: "*", effect, layer: "gate", source } },
  ];
  if (HIDDEN.test(text)) return limit("deny", "command gate: hidden or control characters");
  if (Buffer.byteLength(text) > MOST_BYTES) return limit("deny", "command gate: longer than 10 kB");
  return isPlain(text) ? [access] : limit("ask", "command gate: not a plain command");
}

/** Whether the text is one program with literal words, one blank between them: what a wildcard on it says is what runs. */
export function isPlain(text: string): boolean {
  const words = text.split(" ");
  const [first = ""] = words;
  return !ASSIGNMENT.test(first) && !RESERVED.has(first) && words.every(isLiteral);
}

const isLiteral = (word: string): boolean => WORD.test(word) && !EXPANDED_AT_START.test(word) && !TILDE_AFTER_SIGN.test(word);
