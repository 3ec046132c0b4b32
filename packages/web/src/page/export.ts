import { transcriptMarkdown } from "@baton/core/session/transcript-markdown";
import { oneLine } from "@baton/core/text/sanitize";
import { readAllEvents } from "@baton/core/client/follow-events";
import type { Api } from "../connection/connection.ts";
import { saveFile } from "../components/save-file.ts";

/** Downloads a session: its transcript as Markdown, or its events as JSON lines for `baton import`. */
export async function exportAs(kind: "md" | "jsonl", api: Api, { id, title }: { id: string; title: string }): Promise<void> {
  const events = await readAllEvents(api, id);
  const name = `${fileName(title)}.${kind}`;
  if (kind === "md") saveFile(name, transcriptMarkdown(oneLine(title), events), "text/markdown");
  else saveFile(name, events.map((event) => `${JSON.stringify(event)}\n`).join(""), "application/jsonl");
}

const fileName = (title: string): string =>
  title
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 60)
    .toLowerCase() || "session";
