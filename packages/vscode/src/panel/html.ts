import type { Hosted } from "@baton/core/protocol/host";

/** Where the built page lies, as the webview may load it, and what it may do: run our own scripts and nothing else. */
export type Place = { base: string; source: string };

/** The page's own build, placed inside a webview: its files by the webview's addresses, under a policy of its own. */
export function pageHtml(index: string, { base, source }: Place, hosted: Hosted): string {
  const policy = [
    "default-src 'none'",
    `script-src ${source}`,
    `style-src ${source} 'unsafe-inline'`, // the editor puts its own style into each webview
    `font-src ${source}`,
    `img-src ${source} data: blob:`,
    "form-action 'none'",
  ].join("; ");
  return index
    .replace(/<link rel="icon"[^>]*>/, "")
    .replace(
      '<meta charset="utf-8" />',
      `<meta charset="utf-8" /><meta http-equiv="Content-Security-Policy" content="${escaped(policy)}" /><meta name="baton-host" content="${escaped(JSON.stringify(hosted))}" />`,
    )
    .replaceAll(/(src|href)="\.\//g, `$1="${escaped(base)}/`);
}

/** What stands in place of the page while there is no daemon to draw: what is wrong, and what to do. */
export function faultHtml(problem: string, deeds: readonly { label: string; command: string }[]): string {
  const buttons = deeds.map(({ label, command }) => `<p><a href="command:${escaped(command)}">${escaped(label)}</a></p>`).join("");
  return `<!doctype html><html lang="en"><head><meta charset="utf-8" /><meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'" /></head>
<body><h3>Baton's daemon is not there</h3><p>${escaped(problem)}</p>${buttons}</body></html>`;
}

const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, (letter) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[letter] ?? "&quot;");
