import { transcriptMarkdown } from "@baton/core/session/transcript/transcript-markdown";
import { transcriptHtml } from "@baton/core/session/transcript/html/transcript-html";
import { formatCount } from "@baton/core/text/format";
import { oneLine } from "@baton/core/text/sanitize";
import { readAllEvents } from "@baton/core/client/follow-events";
import type { Api } from "../connection/connection-types.ts";
import { saveFile } from "../components/save-file.ts";

type Exported = { id: string; title: string; workspace: string; createdAt: number };

/**
 * Downloads a session: its transcript as Markdown or as one HTML page, or its events as JSON lines for `baton import`. Returns what the
 * user has to know before sharing the file.
 */
export async function exportAs(kind: "md" | "html" | "jsonl", api: Api, session: Exported): Promise<string | undefined> {
  const { id, title } = session;
  const events = await readAllEvents(api, id);
  const name = `${fileName(title)}.${kind}`;
  switch (kind) {
    case "md":
      saveFile(name, transcriptMarkdown(oneLine(title), events), "text/markdown");
      return undefined;
    case "jsonl":
      saveFile(name, events.map((event) => `${JSON.stringify(event)}\n`).join(""), "application/jsonl");
      return undefined;
    case "html": {
      const { html, masked } = transcriptHtml(session, events, (at) => new Date(at).toLocaleString());
      saveFile(name, html, "text/html");
      const found = masked === 0 ? "No secrets were found" : `${formatCount(masked, "secret")} masked`;
      return `${found}. Baton knows common keys and tokens only, so read the file before you share it.`;
    }
  }
}

const fileName = (title: string): string =>
  title
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 60)
    .toLowerCase() || "session";
