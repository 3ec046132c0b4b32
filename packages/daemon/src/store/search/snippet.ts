import { oneLine } from "@baton/core/text/sanitize";
import type { SearchableText, SearchKind } from "./searchable-text.ts";
import { mayOccur, occurrences, type SearchPhrase } from "./search-query.ts";
import { splitIntoWords } from "./words.ts";

/** A piece of a snippet. `hit`: it matches the query. */
export type SnippetPart = { text: string; hit: boolean };

type Snippet = { kind: SearchKind; parts: SnippetPart[] };

/** Characters of a snippet, and of its text before the first hit. */
const MAX_SNIPPET = 200;
const BEFORE = 50;

/** The part of an event's texts that fits a query best, with its hits marked. Undefined unless all terms occur in the texts. */
export function makeSnippet(terms: readonly SearchPhrase[], texts: readonly SearchableText[]): Snippet | undefined {
  if (!terms.every((term) => texts.some(({ text }) => mayOccur(term, text)))) return undefined;
  const hits = texts.map(({ text }) => {
    const of = splitIntoWords(text);
    return terms.map((term) => occurrences(term, of));
  });
  if (!terms.every((_, i) => hits.some((text) => (text[i]?.length ?? 0) > 0))) return undefined;
  const found = hits.map((text) => text.filter((places) => places.length > 0).length);
  const best = found.indexOf(Math.max(...found));
  const chosen = texts[best];
  if (!chosen) return undefined;
  const places = (hits[best] ?? []).flat().toSorted((a, b) => a.start - b.start || b.end - a.end);
  return { kind: chosen.kind, parts: cut(chosen.text, places) };
}

/** Cuts the text around its first hit into parts on one line. */
function cut(text: string, places: readonly { start: number; end: number }[]): SnippetPart[] {
  const first = places[0]?.start ?? 0;
  const from = first <= BEFORE ? 0 : wordStart(text, first - BEFORE, first);
  const until = Math.min(text.length, Math.max(from + MAX_SNIPPET, places[0]?.end ?? 0));
  const parts: SnippetPart[] = from > 0 ? [{ text: "…", hit: false }] : [];
  let at = from;
  for (const { start, end } of places) {
    if (start < at || end > until) continue;
    parts.push({ text: text.slice(at, start), hit: false }, { text: text.slice(start, end), hit: true });
    at = end;
  }
  parts.push({ text: text.slice(at, until), hit: false });
  if (until < text.length) parts.push({ text: "…", hit: false });
  return parts.map((part) => ({ ...part, text: inLine(part.text) })).filter((part) => part.text !== "");
}

/** The first word that begins after `at`. */
function wordStart(text: string, at: number, before: number): number {
  const space = text.slice(at, before).search(/\s/);
  return space < 0 ? at : at + space + 1;
}

/** Keeps one space at each end, so that parts can be joined. */
function inLine(text: string): string {
  const [start, end] = [/^\s/.test(text) ? " " : "", /\s$/.test(text) ? " " : ""];
  const middle = oneLine(text.toWellFormed());
  return middle === "" ? start : start + middle + end;
}
