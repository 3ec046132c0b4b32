import type { ReplyEntry } from "@baton/core/session/transcript/entry";
import type { TerminalClient } from "../terminal-client.ts";

/** More than terminals accept in one sequence. */
const MAX_BYTES = 74_000;

/** `/copy`: copies the last answer, or with `code` its last code block, to the clipboard of the terminal. Works over ssh. */
export function copyAnswer(client: TerminalClient, what: string): void {
  const replies = client
    .view()
    ?.transcript.entries.filter((entry): entry is ReplyEntry => entry.kind === "reply" && entry.text.trim() !== "");
  const last = replies?.at(-1)?.text;
  if (last === undefined) return client.notify("There is no answer to copy yet.");
  if (what !== "" && what !== "code") return client.notify("/copy copies the last answer, /copy code its last code block.");
  const text = what === "code" ? lastCodeBlock(last) : last;
  if (text === undefined) return client.notify("The last answer has no code block.");
  const encoded = Buffer.from(text, "utf8").toString("base64");
  if (encoded.length > MAX_BYTES) return client.notify("The text is too long for the terminal's clipboard. /export writes it to a file.");
  client.writeSequence(`\u001b]52;c;${encoded}\u0007`);
  client.notify(what === "code" ? "Copied the last code block." : "Copied the last answer.");
}

/** The content of the last fenced block of a Markdown text. */
export function lastCodeBlock(text: string): string | undefined {
  const blocks = [...text.matchAll(/^(`{3,}|~{3,})[^\n]*\n([\s\S]*?)\n?\1[ \t]*$/gm)];
  return blocks.at(-1)?.[2];
}
