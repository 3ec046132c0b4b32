import type { Logged } from "@baton/core/protocol/event";
import { emptyTranscript, foldTranscript, type Entry } from "@baton/core/session/transcript";
import type { Api } from "../link/link.ts";
import { clean } from "@baton/core/text/clean";
import { capital } from "../view/words.ts";

/** Every event of a session, oldest first. */
export async function allEvents(api: Api, sessionId: string): Promise<Logged[]> {
  const newest = await api.session.open.query({ sessionId, tail: 5_000 });
  const pages = [newest.events];
  for (let from = newest.from; from > 1;) {
    const page = await api.session.page.query({ sessionId, before: from, atLeast: 5_000 });
    if (page.from >= from) break;
    pages.unshift(page.events);
    from = page.from;
  }
  const seen = new Set<number>();
  return pages.flat().filter(({ seq }) => !seen.has(seq) && seen.add(seq));
}

/** A conversation as a text that one can read and send around. */
export function markdownOf(title: string, events: readonly Logged[]): string {
  const transcript = emptyTranscript();
  for (const event of events) foldTranscript(transcript, event);
  return [`# ${title}`, ...transcript.entries.map(paragraphOf)].filter((text) => text !== "").join("\n\n") + "\n";
}

function paragraphOf(entry: Entry): string {
  switch (entry.kind) {
    case "prompt":
      return clean(entry.text)
        .split("\n")
        .map((line) => `> ${line}`)
        .join("\n");
    case "reply":
      return clean(entry.text).trim();
    case "call":
      if (entry.result?.ends) return clean(entry.result.text).trim();
      return `- ${capital(entry.label.verb)} \`${clean(entry.label.object).replaceAll("`", "'")}\`: ${entry.result?.end ?? entry.phase}`;
    case "transition":
      return `*${entry.from} → ${entry.to}*`;
    case "end":
      return entry.reason === "completed" ? "" : `*The turn ended: ${entry.reason}${entry.message ? `, ${clean(entry.message)}` : ""}*`;
  }
}

/** Hands a text to the person as a file. */
export function save(name: string, text: string, type: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

export const fileName = (title: string): string =>
  title
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 60)
    .toLowerCase() || "session";
