import type { LoggedEvent } from "../../../protocol/event.ts";
import type { View } from "../../../protocol/tool-view.ts";
import { maskSecrets } from "./mask-secrets.ts";
import { sanitize, settleOutput } from "../../../text/sanitize.ts";
import { attachmentSummary } from "../../../text/attachment-text.ts";
import type { CallEntry, Entry } from "../entry.ts";
import { transcriptOf } from "../build-transcript.ts";
import { escapeHtml } from "./escape-html.ts";
import { markdownHtml } from "./markdown-html.ts";
import { transcriptCss } from "./style.ts";

/** A page, and the number of secrets that are masked in it. */
export type HtmlExport = { html: string; masked: number };

/** The facts of the session that the page shows. */
export type HtmlFacts = { id: string; title: string; workspace: string; createdAt: number };

/** Formats a time for the reader of the page. */
type FormatDate = (at: number) => string;

/** Removes control characters and secrets from a text, and counts the secrets. */
type Clean = (text: string) => string;

/** The browser loads nothing and runs nothing, whatever the texts contain. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/** A conversation as one HTML file without scripts and without requests. Secrets in its texts are masked. */
export function transcriptHtml(
  { id, title, workspace, createdAt }: HtmlFacts,
  events: readonly LoggedEvent[],
  formatDate: FormatDate,
): HtmlExport {
  const transcript = transcriptOf(events);
  let masked = 0;
  const clean: Clean = (text) => {
    const result = maskSecrets(sanitize(text));
    masked += result.count;
    return result.text;
  };
  const heading = escapeHtml(clean(title).trim() || id);
  const facts = escapeHtml([clean(workspace), formatDate(createdAt), id].join(" · "));
  const body = transcript.entries.map((entry) => entryHtml(entry, clean)).filter((html) => html !== "");
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="referrer" content="no-referrer">
<title>${heading}</title>
<style>${transcriptCss}</style>
</head>
<body>
<header><h1>${heading}</h1><p class="dim">${facts}</p></header>
<main>
${body.join("\n")}
</main>
<footer><hr>Exported by Baton.${masked === 0 ? "" : ` ${masked} ${masked === 1 ? "secret is" : "secrets are"} masked.`}</footer>
</body>
</html>
`;
  return { html, masked };
}

function entryHtml(entry: Entry, clean: Clean): string {
  switch (entry.kind) {
    case "prompt": {
      const images = entry.images ? `<div class="dim">with ${escapeHtml(attachmentSummary(entry.images))}</div>` : "";
      return `<article class="prompt">${escapeHtml(clean(entry.text))}${images}</article>`;
    }
    case "reply": {
      const failure = entry.failure ? `<p class="bad">${escapeHtml(clean(entry.failure.message))}</p>` : "";
      const text = entry.text.trim() === "" ? "" : markdownHtml(clean(entry.text));
      return text + failure === "" ? "" : `<article>${text}${failure}</article>`;
    }
    case "call":
      return callHtml(entry, clean);
    case "transition":
      return note(`Mode: ${entry.from} → ${entry.to}`, clean);
    case "compaction":
      return entry.summary === undefined ? "" : note("The conversation up to here was summarized for the model.", clean);
    case "end":
      return entry.reason === "completed" ? "" : note(`The turn ended: ${entry.reason}${entry.message ? `, ${entry.message}` : ""}`, clean);
  }
}

const note = (text: string, clean: Clean): string => `<p class="note dim">${escapeHtml(clean(text))}</p>`;

const GOOD: ReadonlySet<string> = new Set(["ok", "requested", "waiting", "allowed", "running"]);

function callHtml({ label, result, diagnostics, phase, request, input }: CallEntry, clean: Clean): string {
  if (result?.ends) return `<article>${markdownHtml(clean(result.text))}</article>`;
  const state = `<span class="${GOOD.has(phase) ? "dim" : "bad"}">${escapeHtml(clean(result?.end ?? phase))}</span>`;
  const head = `${escapeHtml(clean(label.verb))} <code>${escapeHtml(clean(label.object))}</code> ${state}`;
  const details = [
    ...commandHtml(input, label.object, clean),
    ...viewHtml(result?.view ?? request?.view, clean),
    ...viewHtml(diagnostics?.view, clean),
  ].join("");
  return details === "" ? `<div class="call">${head}</div>` : `<details class="call"><summary>${head}</summary>${details}</details>`;
}

/** The whole command, if the label shows only its beginning. */
function commandHtml(input: unknown, shown: string, clean: Clean): string[] {
  const command = typeof input === "object" && input !== null && "command" in input ? input.command : undefined;
  return typeof command === "string" && command !== shown ? [pre(clean(command))] : [];
}

function viewHtml(view: View | undefined, clean: Clean): string[] {
  switch (view?.type) {
    case undefined:
    case "command":
      return [];
    case "text":
      return [view.format === "markdown" ? markdownHtml(clean(view.text)) : pre(clean(view.text))];
    case "diff":
      return [`<p><code>${escapeHtml(clean(view.path))}</code></p>`, ...view.hunks.map(({ lines }) => diffHtml(clean(lines.join("\n"))))];
    case "terminal": {
      const gap = view.omittedLines > 0 ? `\n… ${view.omittedLines} lines omitted …\n` : "";
      const output = settleOutput(`${view.head}${gap}${view.tail}`);
      return output.trim() === "" ? [] : [pre(clean(output))];
    }
    case "files":
      return [
        pre(
          clean(
            view.files
              .map(({ path, line, note: about }) => [line === undefined ? path : `${path}:${line}`, about].filter(Boolean).join("  "))
              .join("\n"),
          ),
        ),
      ];
    case "link":
      return [`<p>${escapeHtml(clean(`${view.label}: ${view.url}`))}</p>`];
    case "list":
      return [
        `<ul>${view.items.map(({ text, state }) => `<li>${escapeHtml(clean(text))}${state === undefined ? "" : ` <span class="dim">${state}</span>`}</li>`).join("")}</ul>`,
      ];
  }
}

const pre = (text: string): string => `<pre>${escapeHtml(text)}</pre>`;

const diffHtml = (text: string): string =>
  `<pre>${text
    .split("\n")
    .map((line) => {
      const kind = line.startsWith("+") ? "add" : line.startsWith("-") ? "del" : undefined;
      return kind === undefined ? escapeHtml(line) : `<span class="${kind}">${escapeHtml(line)}</span>`;
    })
    .join("\n")}</pre>`;
