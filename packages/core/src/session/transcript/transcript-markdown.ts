import { attachmentSummary } from "../../text/attachment-text.ts";
import { sanitize } from "../../text/sanitize.ts";
import type { LoggedEvent } from "../../protocol/event.ts";
import type { Entry } from "./entry.ts";
import { transcriptOf } from "./build-transcript.ts";

/** A conversation as Markdown, for reading and sharing. */
export function transcriptMarkdown(title: string, events: readonly LoggedEvent[]): string {
  const transcript = transcriptOf(events);
  return [`# ${title}`, ...transcript.entries.map(entryParagraph)].filter((text) => text !== "").join("\n\n") + "\n";
}

function entryParagraph(entry: Entry): string {
  switch (entry.kind) {
    case "prompt":
      return [...sanitize(entry.text).split("\n"), ...(entry.images ? [`(with ${attachmentSummary(entry.images)})`] : [])]
        .map((line) => `> ${line}`)
        .join("\n");
    case "reply":
      return sanitize(entry.text).trim();
    case "call":
      if (entry.result?.ends) return sanitize(entry.result.text).trim();
      return `- ${capital(entry.label.verb)} \`${sanitize(entry.label.object).replaceAll("`", "'")}\`: ${entry.result?.end ?? entry.phase}`;
    case "transition":
      return `*${entry.from} → ${entry.to}*`;
    case "compaction":
      return entry.summary === undefined ? "" : `*The conversation up to here was summarized for the model.*`;
    case "end":
      return entry.reason === "completed" ? "" : `*The turn ended: ${entry.reason}${entry.message ? `, ${sanitize(entry.message)}` : ""}*`;
  }
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
